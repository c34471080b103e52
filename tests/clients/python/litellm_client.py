"""LiteLLM as a client, with each of its three formats."""

import json

import litellm

from common import ASK, IMAGE_URL, KEY, SCHEMA, URL, join, must_raise, weather

litellm.suppress_debug_info = True
litellm.telemetry = False


class LiteLLM:
    failed = litellm.exceptions.APIError, litellm.exceptions.BadRequestError, litellm.exceptions.NotFoundError

    def __init__(self, model):
        self.model = model

    def create(self, messages, model=None, key=KEY, **more):
        return litellm.completion(
            model=f"{self.provider}/{model or self.model}",
            messages=messages,
            api_key=key,
            api_base=self.base(model or self.model),
            max_retries=0,
            num_retries=0,
            **more,
        )

    def ask(self, text, **more):
        return self.create([{"role": "user", "content": text}], **more)

    def chat(self):
        return self.ask(ASK["chat"]).choices[0].message.content

    def stream(self):
        return join(choice.delta.content for chunk in self.ask(ASK["chat"], stream=True) for choice in chunk.choices)

    def usage(self):
        told = [self.ask(ASK["chat"]).usage]
        chunks = list(self.ask(ASK["chat"], stream=True, stream_options={"include_usage": True}))
        told += [chunk.usage for chunk in chunks if getattr(chunk, "usage", None)][-1:]
        assert len(told) == 2, f"{len(told)} usages"
        return [(usage.prompt_tokens, usage.completion_tokens) for usage in told]

    def tools(self):
        tools = [{"type": "function", "function": {"name": "weather", "parameters": SCHEMA}}]
        messages = [{"role": "user", "content": ASK["tools"]}]
        asked = self.create(messages, tools=tools).choices[0].message
        messages.append(asked.model_dump())
        for call in asked.tool_calls:
            messages.append({"role": "tool", "tool_call_id": call.id, "content": weather(**json.loads(call.function.arguments))})
        return self.create(messages, tools=tools).choices[0].message.content

    def schema(self):
        form = {"type": "json_schema", "json_schema": {"name": "city", "schema": SCHEMA, "strict": True}}
        return json.loads(self.ask(ASK["schema"], response_format=form).choices[0].message.content)

    def image(self):
        content = [{"type": "text", "text": ASK["image"]}, {"type": "image_url", "image_url": {"url": IMAGE_URL}}]
        return self.ask(content).choices[0].message.content

    def reasoning(self):
        first = self.ask(ASK["think"], **self.thinking).choices[0].message
        messages = [{"role": "user", "content": ASK["think"]}, first.model_dump(), {"role": "user", "content": ASK["again"]}]
        again = self.create(messages, **self.thinking).choices[0].message.content
        return getattr(first, "reasoning_content", None), again

    thinking = {"reasoning_effort": "low", "allowed_openai_params": ["reasoning_effort"]}

    def errors(self):
        must_raise(litellm.BadRequestError, lambda: self.ask(ASK["bad"]), 400)
        must_raise(litellm.NotFoundError, lambda: self.ask(ASK["chat"], model="no-such-model"), 404)
        must_raise(litellm.AuthenticationError, lambda: self.ask(ASK["chat"], key="sk-wrong"), 401)


class LiteLLMOpenAI(LiteLLM):
    provider = "openai"

    def base(self, _model):
        return f"{URL}/v1"

    def embeddings(self):
        answer = litellm.embedding(
            model=f"openai/{self.model}", input=["one", "two"], api_key=KEY, api_base=f"{URL}/v1", encoding_format="float", max_retries=0
        )
        return [one["embedding"] for one in answer.data]


class LiteLLMAnthropic(LiteLLM):
    provider = "anthropic"

    def base(self, _model):
        return URL


class LiteLLMGemini(LiteLLM):
    provider = "gemini"

    def base(self, _model):
        return f"{URL}/v1beta"
