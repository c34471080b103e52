"""The vendors' own SDKs."""

import json

import anthropic
import openai
from google import genai
from google.genai import errors as google_errors
from google.genai import types

from common import ASK, EXPECTED, IMAGE_URL, KEY, SCHEMA, URL, join, must_raise, weather


class OpenAI:
    failed = openai.APIStatusError

    def __init__(self, model):
        self.model = model
        self.sdk = self.connect(KEY)

    def connect(self, key):
        return openai.OpenAI(api_key=key, base_url=f"{URL}/v1", max_retries=0)

    def models(self):
        return [model.id for model in self.sdk.models.list()]

    def embeddings(self):
        answer = self.sdk.embeddings.create(model=self.model, input=["one", "two"])
        return [one.embedding for one in answer.data]

    def errors(self):
        must_raise(openai.BadRequestError, lambda: self.ask(self.sdk, self.model, ASK["bad"]), 400)
        must_raise(openai.BadRequestError, lambda: self.ask_stream(self.model, ASK["bad"]), 400)
        must_raise(openai.NotFoundError, lambda: self.ask(self.sdk, "no-such-model", ASK["chat"]), 404)
        must_raise(openai.AuthenticationError, lambda: self.ask(self.connect("sk-wrong"), self.model, ASK["chat"]), 401)


class Chat(OpenAI):
    def create(self, messages, **more):
        return self.sdk.chat.completions.create(model=self.model, messages=messages, **more)

    def ask(self, sdk, model, text):
        return sdk.chat.completions.create(model=model, messages=[{"role": "user", "content": text}])

    def ask_stream(self, model, text):
        messages = [{"role": "user", "content": text}]
        options = {"include_usage": True}
        return list(self.sdk.chat.completions.create(model=model, messages=messages, stream=True, stream_options=options))

    def chat(self):
        return self.ask(self.sdk, self.model, ASK["chat"]).choices[0].message.content

    def stream(self):
        return join(choice.delta.content for chunk in self.ask_stream(self.model, ASK["chat"]) for choice in chunk.choices)

    def usage(self):
        told = [self.ask(self.sdk, self.model, ASK["chat"]).usage]
        told += [chunk.usage for chunk in self.ask_stream(self.model, ASK["chat"]) if chunk.usage]
        assert len(told) == 2, f"{len(told)} usages"
        return [(usage.prompt_tokens, usage.completion_tokens) for usage in told]

    def tools(self):
        tools = [{"type": "function", "function": {"name": "weather", "parameters": SCHEMA}}]
        messages = [{"role": "user", "content": ASK["tools"]}]
        asked = self.create(messages, tools=tools).choices[0].message
        messages.append(asked)
        for call in asked.tool_calls:
            messages.append({"role": "tool", "tool_call_id": call.id, "content": weather(**json.loads(call.function.arguments))})
        return self.create(messages, tools=tools).choices[0].message.content

    def schema(self):
        form = {"type": "json_schema", "json_schema": {"name": "city", "schema": SCHEMA, "strict": True}}
        return json.loads(self.create([{"role": "user", "content": ASK["schema"]}], response_format=form).choices[0].message.content)

    def image(self):
        content = [{"type": "text", "text": ASK["image"]}, {"type": "image_url", "image_url": {"url": IMAGE_URL}}]
        return self.create([{"role": "user", "content": content}]).choices[0].message.content

    def reasoning(self):
        messages = [{"role": "user", "content": ASK["think"]}]
        first = self.create(messages, reasoning_effort="low").choices[0].message
        again = self.create([*messages, first.model_dump(), {"role": "user", "content": ASK["again"]}], reasoning_effort="low")
        return getattr(first, "reasoning_content", ""), again.choices[0].message.content


class Responses(OpenAI):
    def create(self, given, **more):
        return self.sdk.responses.create(model=self.model, input=given, **more)

    def ask(self, sdk, model, text):
        return sdk.responses.create(model=model, input=text)

    def ask_stream(self, model, text):
        with self.sdk.responses.stream(model=model, input=text) as stream:
            return stream.get_final_response()

    def chat(self):
        return self.ask(self.sdk, self.model, ASK["chat"]).output_text

    def stream(self):
        return self.ask_stream(self.model, ASK["chat"]).output_text

    def usage(self):
        told = [self.ask(self.sdk, self.model, ASK["chat"]).usage, self.ask_stream(self.model, ASK["chat"]).usage]
        return [(usage.input_tokens, usage.output_tokens) for usage in told]

    def tools(self):
        tools = [{"type": "function", "name": "weather", "parameters": SCHEMA, "strict": False}]
        asked = self.create(ASK["tools"], tools=tools)
        results = [
            {"type": "function_call_output", "call_id": item.call_id, "output": weather(**json.loads(item.arguments))}
            for item in asked.output
            if item.type == "function_call"
        ]
        kept = self.create(results, tools=tools, previous_response_id=asked.id).output_text
        whole = self.create([{"role": "user", "content": ASK["tools"]}, *asked.output, *results], tools=tools).output_text
        assert kept == whole, f"{kept!r} and {whole!r}"
        return whole

    def schema(self):
        form = {"format": {"type": "json_schema", "name": "city", "schema": SCHEMA, "strict": True}}
        return json.loads(self.create(ASK["schema"], text=form).output_text)

    def image(self):
        content = [{"type": "input_text", "text": ASK["image"]}, {"type": "input_image", "image_url": IMAGE_URL, "detail": "auto"}]
        return self.create([{"role": "user", "content": content}]).output_text

    def reasoning(self):
        more = {"reasoning": {"effort": "low", "summary": "auto"}, "include": ["reasoning.encrypted_content"], "store": False}
        asked = {"role": "user", "content": ASK["think"]}
        first = self.create([asked], **more)
        thought = join(part.text for item in first.output if item.type == "reasoning" for part in item.summary)
        return thought, self.create([asked, *first.output, {"role": "user", "content": ASK["again"]}], **more).output_text


class Messages:
    failed = anthropic.APIStatusError

    def __init__(self, model):
        self.model = model
        self.sdk = self.connect(KEY)

    def connect(self, key):
        return anthropic.Anthropic(api_key=key, base_url=URL, max_retries=0)

    def create(self, messages, **more):
        return self.sdk.messages.create(**{"model": self.model, "max_tokens": 500, "messages": messages, **more})

    def ask(self, text, **more):
        return self.create([{"role": "user", "content": text}], **more)

    def ask_stream(self, text):
        with self.sdk.messages.stream(model=self.model, max_tokens=500, messages=[{"role": "user", "content": text}]) as stream:
            return stream.get_final_message()

    def text(self, answer):
        return join(block.text for block in answer.content if block.type == "text")

    def models(self):
        return [model.id for model in self.sdk.models.list()]

    def chat(self):
        return self.text(self.ask(ASK["chat"]))

    def stream(self):
        return self.text(self.ask_stream(ASK["chat"]))

    def usage(self):
        return [(one.usage.input_tokens, one.usage.output_tokens) for one in (self.ask(ASK["chat"]), self.ask_stream(ASK["chat"]))]

    def tools(self):
        tools = [{"name": "weather", "input_schema": SCHEMA}]
        first = self.ask(ASK["tools"], tools=tools)
        results = [
            {"type": "tool_result", "tool_use_id": block.id, "content": weather(**block.input)}
            for block in first.content
            if block.type == "tool_use"
        ]
        turns = [{"role": "user", "content": ASK["tools"]}, {"role": "assistant", "content": first.content}]
        return self.text(self.create([*turns, {"role": "user", "content": results}], tools=tools))

    def schema(self):
        return json.loads(self.text(self.ask(ASK["schema"], output_config={"format": {"type": "json_schema", "schema": SCHEMA}})))

    def image(self):
        source = {"type": "base64", "media_type": "image/png", "data": EXPECTED["pixel"]}
        return self.text(self.ask([{"type": "image", "source": source}, {"type": "text", "text": ASK["image"]}]))

    def reasoning(self):
        more = {"thinking": {"type": "enabled", "budget_tokens": 1024}, "max_tokens": 4000}
        first = self.ask(ASK["think"], **more)
        turns = [{"role": "user", "content": ASK["think"]}, {"role": "assistant", "content": first.content}]
        thought = join(block.thinking for block in first.content if block.type == "thinking")
        return thought, self.text(self.create([*turns, {"role": "user", "content": ASK["again"]}], **more))

    def errors(self):
        must_raise(anthropic.BadRequestError, lambda: self.ask(ASK["bad"]), 400)
        must_raise(anthropic.BadRequestError, lambda: self.ask_stream(ASK["bad"]), 400)
        must_raise(anthropic.NotFoundError, lambda: self.ask(ASK["chat"], model="no-such-model"), 404)
        wrong = self.connect("sk-wrong")
        body = {"model": self.model, "max_tokens": 5, "messages": [{"role": "user", "content": "hello"}]}
        must_raise(anthropic.AuthenticationError, lambda: wrong.messages.create(**body), 401)


class Gemini:
    failed = google_errors.APIError

    def __init__(self, model):
        self.model = model
        self.sdk = self.connect(KEY)

    def connect(self, key):
        return genai.Client(api_key=key, http_options=types.HttpOptions(base_url=URL))

    def ask(self, contents, **config):
        return self.sdk.models.generate_content(model=self.model, contents=contents, config=types.GenerateContentConfig(**config))

    def ask_stream(self, text):
        return list(self.sdk.models.generate_content_stream(model=self.model, contents=text))

    def models(self):
        return [model.name.removeprefix("models/") for model in self.sdk.models.list()]

    def chat(self):
        return self.ask(ASK["chat"]).text

    def stream(self):
        return join(chunk.text for chunk in self.ask_stream(ASK["chat"]))

    def usage(self):
        told = [self.ask(ASK["chat"]).usage_metadata, self.ask_stream(ASK["chat"])[-1].usage_metadata]
        return [(usage.prompt_token_count, usage.candidates_token_count) for usage in told]

    def tools(self):
        function = types.FunctionDeclaration(name="weather", parameters_json_schema=SCHEMA)
        config = {"tools": [types.Tool(function_declarations=[function])]}
        first = self.ask(ASK["tools"], **config)
        results = []
        for call in first.function_calls:
            part = types.Part.from_function_response(name=call.name, response={"result": weather(**call.args)})
            part.function_response.id = call.id
            results.append(part)
        asked = types.Content(role="user", parts=[types.Part.from_text(text=ASK["tools"])])
        return self.ask([asked, first.candidates[0].content, types.Content(role="user", parts=results)], **config).text

    def schema(self):
        return json.loads(self.ask(ASK["schema"], response_mime_type="application/json", response_json_schema=SCHEMA).text)

    def image(self):
        import base64

        part = types.Part.from_bytes(data=base64.b64decode(EXPECTED["pixel"]), mime_type="image/png")
        return self.ask([part, ASK["image"]]).text

    def reasoning(self):
        config = {"thinking_config": types.ThinkingConfig(include_thoughts=True)}
        first = self.ask(ASK["think"], **config)
        content = first.candidates[0].content
        turns = [types.Content(role="user", parts=[types.Part.from_text(text=ASK[one])]) for one in ("think", "again")]
        return join(part.text for part in content.parts if part.thought), self.ask([turns[0], content, turns[1]], **config).text

    def errors(self):
        must_raise(google_errors.ClientError, lambda: self.ask(ASK["bad"]), 400)
        must_raise(google_errors.ClientError, lambda: self.ask_stream(ASK["bad"]), 400)
        unknown = {"model": "no-such-model", "contents": ASK["chat"]}
        must_raise(google_errors.ClientError, lambda: self.sdk.models.generate_content(**unknown), 404)
        wrong = self.connect("sk-wrong")
        must_raise(google_errors.ClientError, lambda: wrong.models.generate_content(model=self.model, contents="hello"), 401)

    def embeddings(self):
        # Since version 3, texts of one list are parts of one content, with one vector.
        contents = [types.Content(parts=[types.Part(text=text)]) for text in ("one", "two")]
        return [one.values for one in self.sdk.models.embed_content(model=self.model, contents=contents).embeddings]
