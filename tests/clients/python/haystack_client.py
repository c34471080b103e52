"""Haystack, whose agent takes both turns of the tools itself."""

import json
from typing import Annotated

import openai
from haystack.components.agents import Agent
from haystack.components.embedders import OpenAITextEmbedder
from haystack.components.generators.chat import OpenAIChatGenerator, OpenAIResponsesChatGenerator
from haystack.dataclasses import ChatMessage, ImageContent
from haystack.tools import create_tool_from_function
from haystack.utils import Secret
from pydantic import BaseModel

from common import ASK, EXPECTED, KEY, URL, join, must_raise, weather


class City(BaseModel):
    city: str


def weather_of(city: Annotated[str, "the city"]) -> str:
    """The weather of a city."""
    return weather(city)


class Haystack:
    failed = openai.APIStatusError
    generator = OpenAIChatGenerator
    schema_field = "response_format"
    thinking = {"reasoning_effort": "low"}
    usage_fields = ("prompt_tokens", "completion_tokens")

    def __init__(self, model):
        self.model = model

    def connect(self, model=None, key=KEY, **more):
        return self.generator(api_key=Secret.from_token(key), model=model or self.model, api_base_url=f"{URL}/v1", max_retries=0, **more)

    def ask(self, given, model=None, key=KEY, **more):
        messages = [ChatMessage.from_user(given)] if isinstance(given, str) else given
        return self.connect(model, key).run(messages, **more)["replies"][0]

    def chat(self):
        return self.ask(ASK["chat"]).text

    def streamed(self, text):
        chunks = []
        more = {"generation_kwargs": self.streaming} if self.streaming else {}
        return chunks, self.ask(text, streaming_callback=chunks.append, **more)

    streaming = {"stream_options": {"include_usage": True}}

    def stream(self):
        return join(chunk.content for chunk in self.streamed(ASK["chat"])[0])

    def usage(self):
        told = [self.ask(ASK["chat"]).meta["usage"], self.streamed(ASK["chat"])[1].meta["usage"]]
        return [tuple(usage[field] for field in self.usage_fields) for usage in told]

    def tools(self):
        tool = create_tool_from_function(weather_of, name="weather")
        agent = Agent(chat_generator=self.connect(), tools=[tool])
        return agent.run(messages=[ChatMessage.from_user(ASK["tools"])])["last_message"].text

    def schema(self):
        return json.loads(self.ask(ASK["schema"], generation_kwargs={self.schema_field: City}).text)

    def image(self):
        image = ImageContent(base64_image=EXPECTED["pixel"], mime_type="image/png")
        return self.ask([ChatMessage.from_user(content_parts=[ASK["image"], image])]).text

    def reasoning(self):
        more = {"generation_kwargs": self.thinking}
        asked = ChatMessage.from_user(ASK["think"])
        first = self.ask([asked], **more)
        thought = first.reasoning.reasoning_text if first.reasoning else None
        return thought, self.ask([asked, first, ChatMessage.from_user(ASK["again"])], **more).text

    def errors(self):
        must_raise(openai.BadRequestError, lambda: self.ask(ASK["bad"]), 400)
        must_raise(openai.BadRequestError, lambda: self.streamed(ASK["bad"]), 400)
        must_raise(openai.NotFoundError, lambda: self.ask(ASK["chat"], model="no-such-model"), 404)
        must_raise(openai.AuthenticationError, lambda: self.ask(ASK["chat"], key="sk-wrong"), 401)

    def embeddings(self):
        more = {"api_key": Secret.from_token(KEY), "api_base_url": f"{URL}/v1", "max_retries": 0}
        embedder = OpenAITextEmbedder(model=self.model, **more)
        return [embedder.run(text)["embedding"] for text in ("one", "two")]


class HaystackResponses(Haystack):
    generator = OpenAIResponsesChatGenerator
    schema_field = "text_format"
    thinking = {"reasoning": {"effort": "low", "summary": "auto"}}
    usage_fields = ("input_tokens", "output_tokens")
    streaming = None
    embeddings = None
