"""Mirascope, one interface over the SDKs of OpenAI, Anthropic and Google."""

from mirascope import llm
from mirascope.llm.content import Base64ImageSource
from pydantic import BaseModel

from common import ASK, EXPECTED, KEY, URL, must_raise, weather


class City(BaseModel):
    city: str


class Mirascope:
    provider = "openai:completions"
    scope = "openai/"
    base_url = f"{URL}/v1"

    def __init__(self, model):
        self.model = model

    def connect(self, model=None, key=KEY, **params):
        llm.reset_provider_registry()
        llm.register_provider(self.provider, scope=self.scope, api_key=key, base_url=self.base_url)
        return llm.Model(f"{self.scope}{model or self.model}", **params)

    def chat(self):
        return self.connect().call(ASK["chat"]).text()

    def stream(self):
        return "".join(self.connect().stream(ASK["chat"]).text_stream(sep=""))

    def usage(self):
        answer = self.connect().call(ASK["chat"])
        streamed = self.connect().stream(ASK["chat"])
        streamed.finish()
        return [(one.usage.input_tokens, one.usage.output_tokens) for one in (answer, streamed)]

    def tools(self):
        answer = self.connect().call(ASK["tools"], tools=[llm.tool(weather)])
        assert len(answer.tool_calls) == 2, answer.tool_calls
        return answer.resume(answer.execute_tools()).text()

    def schema(self):
        return self.connect().call(ASK["schema"], format=City).parse().model_dump()

    def image(self):
        picture = llm.Image(source=Base64ImageSource(type="base64_image_source", data=EXPECTED["pixel"], mime_type="image/png"))
        return self.connect().call([llm.messages.user([ASK["image"], picture])]).text()

    def reasoning(self):
        first = self.connect(thinking={"level": "low", "include_thoughts": True}).call(ASK["think"])
        return "".join(part.thought for part in first.thoughts), first.resume(ASK["again"]).text()

    def errors(self):
        must_raise(llm.BadRequestError, lambda: self.connect().call(ASK["bad"]))
        must_raise(llm.NotFoundError, lambda: self.connect("no-such-model").call(ASK["chat"]))
        must_raise(llm.AuthenticationError, lambda: self.connect(key="sk-wrong").call(ASK["chat"]))


class MirascopeResponses(Mirascope):
    provider = "openai:responses"


class MirascopeAnthropic(Mirascope):
    provider = "anthropic"
    scope = "anthropic/"
    base_url = URL


class MirascopeGoogle(Mirascope):
    provider = "google"
    scope = "google/"
    base_url = URL
