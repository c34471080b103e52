"""The OpenAI Agents SDK, whose loop takes both turns of the tools itself."""

import openai
from agents import Agent, OpenAIResponsesModel, Runner, function_tool, set_tracing_disabled
from pydantic import BaseModel

from common import ASK, IMAGE_URL, KEY, URL, join, must_raise, weather

set_tracing_disabled(True)


class City(BaseModel):
    city: str


class Agents:
    def __init__(self, model):
        self.model = model

    def agent(self, model=None, key=KEY, **more):
        client = openai.AsyncOpenAI(api_key=key, base_url=f"{URL}/v1", max_retries=0)
        return Agent(name="client", model=OpenAIResponsesModel(model=model or self.model, openai_client=client), **more)

    def run(self, given, **more):
        return Runner.run_sync(self.agent(**more), given)

    def chat(self):
        return self.run(ASK["chat"]).final_output

    def stream(self):
        import asyncio

        async def read():
            streamed = Runner.run_streamed(self.agent(), ASK["chat"])
            parts = []
            async for event in streamed.stream_events():
                if event.type == "raw_response_event" and event.data.type == "response.output_text.delta":
                    parts.append(event.data.delta)
            return join(parts)

        return asyncio.run(read())

    def usage(self):
        return [(one.usage.input_tokens, one.usage.output_tokens) for one in self.run(ASK["chat"]).raw_responses]

    def tools(self):
        return self.run(ASK["tools"], tools=[function_tool(weather)]).final_output

    def schema(self):
        return self.run(ASK["schema"], output_type=City).final_output.model_dump()

    def image(self):
        content = [{"type": "input_text", "text": ASK["image"]}, {"type": "input_image", "image_url": IMAGE_URL, "detail": "auto"}]
        return self.run([{"role": "user", "content": content}]).final_output

    def reasoning(self):
        first = self.run(ASK["think"])
        items = [item for answer in first.raw_responses for item in answer.output if item.type == "reasoning"]
        thought = join(part.text for item in items for part in item.summary)
        again = self.run([*first.to_input_list(), {"role": "user", "content": ASK["again"]}])
        return thought, again.final_output

    def errors(self):
        must_raise(openai.BadRequestError, lambda: self.run(ASK["bad"]), 400)
        must_raise(openai.NotFoundError, lambda: self.run(ASK["chat"], model="no-such-model"), 404)
        must_raise(openai.AuthenticationError, lambda: self.run(ASK["chat"], key="sk-wrong"), 401)
