"""The client of Hugging Face's inference API, which takes the address of any other."""

import json

from huggingface_hub import InferenceClient
from huggingface_hub.errors import HfHubHTTPError

from common import ASK, EXPECTED, IMAGE_URL, KEY, SCHEMA, URL, join, must_raise, weather


class HuggingFace:
    failed = HfHubHTTPError

    def __init__(self, model):
        self.model = model
        self.client = self.connect(KEY)

    def connect(self, key):
        return InferenceClient(base_url=f"{URL}/v1", api_key=key)

    def create(self, messages, **more):
        return self.client.chat.completions.create(model=self.model, messages=messages, **more)

    def ask(self, text, model=None, key=KEY):
        client = self.connect(key)
        return client.chat.completions.create(model=model or self.model, messages=[{"role": "user", "content": text}])

    def ask_stream(self, text):
        return list(self.create([{"role": "user", "content": text}], stream=True, stream_options={"include_usage": True}))

    def chat(self):
        return self.ask(ASK["chat"]).choices[0].message.content

    def stream(self):
        return join(choice.delta.content for chunk in self.ask_stream(ASK["chat"]) for choice in chunk.choices)

    def usage(self):
        told = [self.ask(ASK["chat"]).usage]
        told += [chunk.usage for chunk in self.ask_stream(ASK["chat"]) if chunk.usage]
        assert len(told) == 2, f"{len(told)} usages"
        return [(usage.prompt_tokens, usage.completion_tokens) for usage in told]

    def tools(self):
        tools = [{"type": "function", "function": {"name": "weather", "description": "The weather of a city.", "parameters": SCHEMA}}]
        messages = [{"role": "user", "content": ASK["tools"]}]
        asked = self.create(messages, tools=tools).choices[0].message
        streamed = self.create(messages, tools=tools, stream=True)
        pieces = [call for chunk in streamed for choice in chunk.choices for call in choice.delta.tool_calls or []]
        names = [call.function.name for call in pieces if call.function.name]
        assert names == ["weather"] * len(EXPECTED["weather"]), f"{names} are streamed"
        calls = [{"id": call.id, "type": "function", "function": {"name": call.function.name, "arguments": call.function.arguments}} for call in asked.tool_calls]
        messages.append({"role": "assistant", "content": asked.content or "", "tool_calls": calls})
        for call in asked.tool_calls:
            messages.append({"role": "tool", "tool_call_id": call.id, "content": weather(**json.loads(call.function.arguments))})
        return self.create(messages, tools=tools).choices[0].message.content

    def schema(self):
        form = {"type": "json_schema", "json_schema": {"name": "city", "schema": SCHEMA}}
        return json.loads(self.create([{"role": "user", "content": ASK["schema"]}], response_format=form).choices[0].message.content)

    def image(self):
        content = [{"type": "text", "text": ASK["image"]}, {"type": "image_url", "image_url": {"url": IMAGE_URL}}]
        return self.create([{"role": "user", "content": content}]).choices[0].message.content

    def errors(self):
        must_raise(HfHubHTTPError, lambda: self.ask(ASK["bad"]))
        must_raise(HfHubHTTPError, lambda: self.ask_stream(ASK["bad"]))
        must_raise(HfHubHTTPError, lambda: self.ask(ASK["chat"], model="no-such-model"))
        must_raise(HfHubHTTPError, lambda: self.ask(ASK["chat"], key="sk-wrong"))
