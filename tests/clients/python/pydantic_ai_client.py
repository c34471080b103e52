"""Pydantic AI with each of its models; its loop takes both turns of the tools itself."""

import asyncio
import base64

import openai
from anthropic import AsyncAnthropic
from pydantic import BaseModel
from pydantic_ai import Agent, BinaryContent, ModelHTTPError, NativeOutput, ThinkingPart
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider

from common import ASK, EXPECTED, KEY, URL, join, must_raise, weather


class City(BaseModel):
    city: str


def openai_provider(key):
    return OpenAIProvider(openai_client=openai.AsyncOpenAI(api_key=key, base_url=f"{URL}/v1", max_retries=0))


class PydanticChat:
    thinking = {"openai_reasoning_effort": "low"}
    output = NativeOutput(City)

    def __init__(self, model):
        self.model = model

    def connect(self, model, key):
        return OpenAIChatModel(model, provider=openai_provider(key))

    def agent(self, model=None, key=KEY, **more):
        return Agent(self.connect(model or self.model, key), **more)

    def run(self, given, model=None, key=KEY, history=None, **more):
        return self.agent(model, key, **more).run_sync(given, message_history=history)

    def chat(self):
        return self.run(ASK["chat"]).output

    def streamed(self, text):
        async def read():
            async with self.agent().run_stream(text) as found:
                parts = [part async for part in found.stream_text(delta=True)]
                return join(parts), found.usage

        return asyncio.run(read())

    def stream(self):
        return self.streamed(ASK["chat"])[0]

    def usage(self):
        told = [self.run(ASK["chat"]).usage, self.streamed(ASK["chat"])[1]]
        return [(usage.input_tokens, usage.output_tokens) for usage in told]

    def tools(self):
        return self.run(ASK["tools"], tools=[weather]).output

    def schema(self):
        return self.run(ASK["schema"], output_type=self.output).output.model_dump()

    def image(self):
        return self.run([ASK["image"], BinaryContent(base64.b64decode(EXPECTED["pixel"]), media_type="image/png")]).output

    def reasoning(self):
        first = self.run(ASK["think"], model_settings=self.thinking)
        thought = join(part.content for part in first.response.parts if isinstance(part, ThinkingPart))
        again = self.run(ASK["again"], history=first.all_messages(), model_settings=self.thinking)
        return thought or None, again.output

    def errors(self):
        must_raise(ModelHTTPError, lambda: self.run(ASK["bad"]), 400)
        must_raise(ModelHTTPError, lambda: self.streamed(ASK["bad"]), 400)
        must_raise(ModelHTTPError, lambda: self.run(ASK["chat"], model="no-such-model"), 404)
        must_raise(ModelHTTPError, lambda: self.run(ASK["chat"], key="sk-wrong"), 401)


class PydanticResponses(PydanticChat):
    thinking = {"openai_reasoning_effort": "low", "openai_reasoning_summary": "auto"}

    def connect(self, model, key):
        return OpenAIResponsesModel(model, provider=openai_provider(key))


class PydanticAnthropic(PydanticChat):
    thinking = {"anthropic_thinking": {"type": "enabled", "budget_tokens": 1024}, "max_tokens": 4000}
    # It refuses a native schema itself unless the model has one of the names that it knows: a tool carries the schema.
    output = City

    def connect(self, model, key):
        client = AsyncAnthropic(api_key=key, base_url=URL, max_retries=0)
        return AnthropicModel(model, provider=AnthropicProvider(anthropic_client=client))
