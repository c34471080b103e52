"""Agno's agents over the SDKs of OpenAI and Anthropic; the agent takes both turns of the tools itself."""

import os

os.environ["AGNO_TELEMETRY"] = "false"

from agno.agent import Agent  # noqa: E402
from agno.media import Image  # noqa: E402
from agno.models.anthropic import Claude  # noqa: E402
from agno.models.message import Message  # noqa: E402
from agno.models.openai.like import OpenAILike  # noqa: E402
from agno.models.openai.responses import OpenAIResponses  # noqa: E402
from pydantic import BaseModel  # noqa: E402

from common import ASK, EXPECTED, KEY, URL, weather  # noqa: E402


class City(BaseModel):
    city: str


class Agno:
    thinking = {}

    def __init__(self, model):
        self.model = model

    def connect(self, model, key, **more):
        return OpenAILike(id=model, api_key=key, base_url=f"{URL}/v1", max_retries=0, **more)

    def run(self, given, model=None, key=KEY, more={}, **agent):
        return Agent(model=self.connect(model or self.model, key, **more), telemetry=False, **agent).run(given)

    def chat(self):
        return self.run(ASK["chat"]).content

    def stream(self):
        agent = Agent(model=self.connect(self.model, KEY), telemetry=False)
        return "".join(event.content or "" for event in agent.run(ASK["chat"], stream=True) if event.event == "RunContent")

    def usage(self):
        metrics = self.run(ASK["chat"]).metrics
        return [(metrics.input_tokens, metrics.output_tokens)]

    def tools(self):
        return self.run(ASK["tools"], tools=[weather]).content

    def schema(self):
        return self.run(ASK["schema"], output_schema=City).content.model_dump()

    def image(self):
        import base64

        agent = Agent(model=self.connect(self.model, KEY), telemetry=False)
        return agent.run(ASK["image"], images=[Image(content=base64.b64decode(EXPECTED["pixel"]), mime_type="image/png", format="png")]).content

    def reasoning(self):
        first = self.run(ASK["think"], more=self.thinking)
        again = self.run([*first.messages, Message(role="user", content=ASK["again"])], more=self.thinking)
        return first.reasoning_content, again.content

    def errors(self):
        for expected, more in ((400, {"given": ASK["bad"]}), (404, {"given": "hi", "model": "no-such-model"}), (401, {"given": "hi", "key": "sk-no"})):
            answer = self.run(**more)
            assert answer.status == "ERROR", f"{answer.status} instead of an error"
            assert answer.content and not answer.content.startswith("{"), f"{answer.content!r} for {expected}"


class AgnoResponses(Agno):
    def connect(self, model, key, **more):
        return OpenAIResponses(id=model, api_key=key, base_url=f"{URL}/v1", max_retries=0, **more)


class AgnoAnthropic(Agno):
    thinking = {"thinking": {"type": "enabled", "budget_tokens": 1024}, "max_tokens": 4096}

    def connect(self, model, key, **more):
        return Claude(id=model, api_key=key, client_params={"base_url": URL, "max_retries": 0}, **more)
