"""LlamaIndex with its class for servers that speak Chat Completions."""

import openai
from llama_index.core.base.llms.types import ChatMessage, ImageBlock, TextBlock
from llama_index.core.tools import FunctionTool
from llama_index.llms.openai_like import OpenAILike
from pydantic import BaseModel

from common import ASK, KEY, IMAGE_URL, URL, join, must_raise, weather


class City(BaseModel):
    """A city."""

    city: str


def user(content):
    return ChatMessage(role="user", content=content)


class LlamaIndex:
    def __init__(self, model):
        self.model = model

    def connect(self, model=None, key=KEY, **more):
        options = {"is_chat_model": True, "is_function_calling_model": True, "max_retries": 0, **more}
        return OpenAILike(model=model or self.model, api_base=f"{URL}/v1", api_key=key, **options)

    def ask(self, text, **more):
        return self.connect(**more).chat([user(text)])

    def chat(self):
        return self.ask(ASK["chat"]).message.content

    def chunks(self, text, **more):
        return list(self.connect(**more).stream_chat([user(text)]))

    def stream(self):
        return join(chunk.delta for chunk in self.chunks(ASK["chat"]))

    def usage(self):
        streaming = {"additional_kwargs": {"stream_options": {"include_usage": True}}}
        told = [self.ask(ASK["chat"]), self.chunks(ASK["chat"], **streaming)[-1]]
        return [(found.additional_kwargs["prompt_tokens"], found.additional_kwargs["completion_tokens"]) for found in told]

    def tools(self):
        llm = self.connect()
        tool = FunctionTool.from_defaults(weather)
        asked = llm.chat_with_tools([tool], chat_history=[user(ASK["tools"])], allow_parallel_tool_calls=True)
        calls = llm.get_tool_calls_from_response(asked)
        results = [
            ChatMessage(role="tool", content=weather(**call.tool_kwargs), additional_kwargs={"tool_call_id": call.tool_id}) for call in calls
        ]
        history = [user(ASK["tools"]), asked.message, *results]
        return llm.chat_with_tools([tool], chat_history=history).message.content

    def schema(self):
        return self.connect().as_structured_llm(City).chat([user(ASK["schema"])]).raw.model_dump()

    def image(self):
        return self.connect().chat([ChatMessage(role="user", blocks=[TextBlock(text=ASK["image"]), ImageBlock(url=IMAGE_URL)])]).message.content

    def reasoning(self):
        llm = self.connect(reasoning_effort="low")
        first = llm.chat([user(ASK["think"])]).message
        thought = join(block.content for block in first.blocks if block.block_type == "thinking")
        return thought or None, llm.chat([user(ASK["think"]), first, user(ASK["again"])]).message.content

    def errors(self):
        must_raise(openai.BadRequestError, lambda: self.ask(ASK["bad"]), 400)
        must_raise(openai.BadRequestError, lambda: self.chunks(ASK["bad"]), 400)
        must_raise(openai.NotFoundError, lambda: self.ask(ASK["chat"], model="no-such-model"), 404)
        must_raise(openai.AuthenticationError, lambda: self.ask(ASK["chat"], key="sk-wrong"), 401)
