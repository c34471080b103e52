"""Checks each SDK: a whole answer, a stream, tools, an error. Prints one line per SDK; exits with 1 when a check fails."""

import json
import os
import sys
import traceback

import anthropic
import openai
from google import genai
from google.genai import errors as google_errors
from google.genai import types

URL = os.environ["TOLLGATE_URL"]
KEY = os.environ["TOLLGATE_KEY"]
EXPECTED = json.loads(os.environ["EXPECTED"])
MODEL = "gpt-4o"
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
TOTAL = 30


class Chat:
    name = "openai chat"
    refused = openai.BadRequestError

    def __init__(self):
        self.sdk = openai.OpenAI(api_key=KEY, base_url=f"{URL}/v1", max_retries=0)

    def body(self, prompt, tools):
        function = {"name": "weather", "parameters": SCHEMA}
        more = {"tools": [{"type": "function", "function": function}]} if tools else {}
        return {"model": MODEL, "messages": [{"role": "user", "content": prompt}], **more}

    def whole(self, prompt, tools=False):
        answer = self.sdk.chat.completions.create(**self.body(prompt, tools))
        message = answer.choices[0].message
        calls = [json.loads(call.function.arguments) for call in message.tool_calls or []]
        return message.content or "", calls, answer.usage.total_tokens

    def stream(self, prompt, tools=False):
        text, calls, total = "", {}, 0
        for chunk in self.sdk.chat.completions.create(
            **self.body(prompt, tools), stream=True, stream_options={"include_usage": True}
        ):
            total = chunk.usage.total_tokens if chunk.usage else total
            for choice in chunk.choices:
                text += choice.delta.content or ""
                for call in choice.delta.tool_calls or []:
                    calls[call.index] = calls.get(call.index, "") + (call.function.arguments or "")
        return text, [json.loads(calls[index]) for index in sorted(calls)], total


class Responses(Chat):
    name = "openai responses"

    def body(self, prompt, tools):
        tool = {"type": "function", "name": "weather", "parameters": SCHEMA, "strict": False}
        return {"model": MODEL, "input": prompt, **({"tools": [tool]} if tools else {})}

    def read(self, answer):
        calls = [json.loads(item.arguments) for item in answer.output if item.type == "function_call"]
        return answer.output_text, calls, answer.usage.total_tokens

    def whole(self, prompt, tools=False):
        return self.read(self.sdk.responses.create(**self.body(prompt, tools)))

    def stream(self, prompt, tools=False):
        with self.sdk.responses.stream(**self.body(prompt, tools)) as stream:
            return self.read(stream.get_final_response())


class Messages:
    name = "anthropic"
    refused = anthropic.BadRequestError

    def __init__(self):
        self.sdk = anthropic.Anthropic(api_key=KEY, base_url=URL, max_retries=0)

    def body(self, prompt, tools):
        more = {"tools": [{"name": "weather", "input_schema": SCHEMA}]} if tools else {}
        return {"model": MODEL, "max_tokens": 500, "messages": [{"role": "user", "content": prompt}], **more}

    def read(self, answer):
        text = "".join(block.text for block in answer.content if block.type == "text")
        calls = [block.input for block in answer.content if block.type == "tool_use"]
        return text, calls, answer.usage.input_tokens + answer.usage.output_tokens

    def whole(self, prompt, tools=False):
        return self.read(self.sdk.messages.create(**self.body(prompt, tools)))

    def stream(self, prompt, tools=False):
        with self.sdk.messages.stream(**self.body(prompt, tools)) as stream:
            return self.read(stream.get_final_message())


class Gemini:
    name = "google-genai"
    refused = google_errors.ClientError

    def __init__(self):
        self.sdk = genai.Client(api_key=KEY, http_options=types.HttpOptions(base_url=URL))

    def body(self, prompt, tools):
        function = types.FunctionDeclaration(name="weather", parameters_json_schema=SCHEMA)
        config = types.GenerateContentConfig(tools=[types.Tool(function_declarations=[function])])
        return {"model": MODEL, "contents": prompt, **({"config": config} if tools else {})}

    def read(self, chunks):
        text, calls, total = "", [], 0
        for chunk in chunks:
            total = chunk.usage_metadata.total_token_count if chunk.usage_metadata else total
            for part in chunk.candidates[0].content.parts or []:
                text += part.text or ""
                if part.function_call:
                    calls.append(part.function_call.args)
        return text, calls, total

    def whole(self, prompt, tools=False):
        return self.read([self.sdk.models.generate_content(**self.body(prompt, tools))])

    def stream(self, prompt, tools=False):
        return self.read(self.sdk.models.generate_content_stream(**self.body(prompt, tools)))


def check(found, expected):
    if found != expected:
        raise AssertionError(f"{found!r} is not {expected!r}")


def tools(client):
    for call in (client.whole, client.stream):
        check(call("weather", True)[1], EXPECTED["cities"])


def error(client):
    for call in (client.whole, client.stream):
        try:
            call("refuse")
        except client.refused as refusal:
            check("the vendor refuses" in str(refusal), True)
        else:
            raise AssertionError("nothing was raised")


CASES = {
    "whole": lambda client: check(client.whole("hello"), (EXPECTED["text"], [], TOTAL)),
    "stream": lambda client: check(client.stream("hello"), (EXPECTED["text"], [], TOTAL)),
    "tools": tools,
    "error": error,
}

failures = 0
for make in (Chat, Responses, Messages, Gemini):
    results = []
    for case, use in CASES.items():
        try:
            use(make())
            results.append(f"{case} ok")
        except Exception:
            failures += 1
            results.append(f"{case} FAILED")
            traceback.print_exc()
    print(f"{make.name}: {', '.join(results)}", flush=True)
sys.exit(1 if failures else 0)
