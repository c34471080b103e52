"""LangChain with each vendor's package."""

import anthropic
import openai
from google.genai import errors as google_errors
from langchain_anthropic import ChatAnthropic
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import tool
from langchain_google_genai import ChatGoogleGenerativeAI, GoogleGenerativeAIEmbeddings
from langchain_google_genai.chat_models import ChatGoogleGenerativeAIError
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from pydantic import BaseModel

from common import ASK, IMAGE_URL, KEY, URL, join, must_raise, weather


class City(BaseModel):
    """A city."""

    city: str


class LangChain:
    def __init__(self, model):
        self.model = model
        self.chain = self.connect(model, KEY)

    def ask(self, text):
        return self.chain.invoke([HumanMessage(text)])

    def chat(self):
        return self.ask(ASK["chat"]).text

    def stream(self):
        return join(chunk.text for chunk in self.chain.stream([HumanMessage(ASK["chat"])]))

    def usage(self):
        whole = self.ask(ASK["chat"]).usage_metadata
        total = None
        for chunk in self.chain.stream([HumanMessage(ASK["chat"])], **self.stream_usage):
            total = chunk if total is None else total + chunk
        return [(told["input_tokens"], told["output_tokens"]) for told in (whole, total.usage_metadata)]

    stream_usage = {}

    def tools(self):
        bound = self.chain.bind_tools([tool(weather)])
        messages = [HumanMessage(ASK["tools"])]
        asked = bound.invoke(messages)
        messages.append(asked)
        messages += [ToolMessage(weather(**call["args"]), tool_call_id=call["id"], name=call["name"]) for call in asked.tool_calls]
        return bound.invoke(messages).text

    def schema(self):
        return self.chain.with_structured_output(City).invoke(ASK["schema"]).model_dump()

    def image(self):
        content = [{"type": "text", "text": ASK["image"]}, {"type": "image_url", "image_url": {"url": IMAGE_URL}}]
        return self.chain.invoke([HumanMessage(content=content)]).text

    def reasoning(self):
        thinker = self.connect(self.model, KEY, **self.thinking)
        messages = [HumanMessage(ASK["think"])]
        first = thinker.invoke(messages)
        thought = join(block.get("reasoning") for block in first.content_blocks if block["type"] == "reasoning")
        return thought, thinker.invoke([*messages, first, HumanMessage(ASK["again"])]).text

    def errors(self):
        bad, missing, unauthorized = self.kinds
        must_raise(bad, lambda: self.ask(ASK["bad"]))
        must_raise(bad, lambda: list(self.chain.stream([HumanMessage(ASK["bad"])])))
        must_raise(missing, lambda: self.connect("no-such-model", KEY).invoke(ASK["chat"]))
        must_raise(unauthorized, lambda: self.connect(self.model, "sk-wrong").invoke(ASK["chat"]))


class LangChainOpenAI(LangChain):
    failed = openai.APIStatusError
    kinds = (openai.BadRequestError, openai.NotFoundError, openai.AuthenticationError)
    thinking = {"reasoning_effort": "low"}
    stream_usage = {"stream_usage": True}

    def connect(self, model, key, **more):
        return ChatOpenAI(model=model, api_key=key, base_url=f"{URL}/v1", max_retries=0, **more)

    def embeddings(self):
        # Without a known tokenizer it would fetch one from another site.
        more = {"check_embedding_ctx_length": False, "max_retries": 0}
        return OpenAIEmbeddings(model=self.model, api_key=KEY, base_url=f"{URL}/v1", **more).embed_documents(["one", "two"])


class LangChainResponses(LangChainOpenAI):
    thinking = {"reasoning": {"effort": "low", "summary": "auto"}}

    def connect(self, model, key, **more):
        return super().connect(model, key, use_responses_api=True, **more)

    stream_usage = {}

    embeddings = None


class LangChainAnthropic(LangChain):
    failed = anthropic.APIStatusError
    kinds = (anthropic.BadRequestError, anthropic.NotFoundError, anthropic.AuthenticationError)
    thinking = {"thinking": {"type": "enabled", "budget_tokens": 1024}, "max_tokens": 4000}

    def connect(self, model, key, **more):
        return ChatAnthropic(**{"model": model, "api_key": key, "base_url": URL, "max_retries": 0, "max_tokens": 500, **more})


class LangChainGoogle(LangChain):
    failed = Exception
    kinds = ((ChatGoogleGenerativeAIError, google_errors.ClientError),) * 3
    thinking = {"include_thoughts": True}

    def connect(self, model, key, **more):
        return ChatGoogleGenerativeAI(model=model, google_api_key=key, base_url=URL, max_retries=1, **more)

    def embeddings(self):
        return GoogleGenerativeAIEmbeddings(model=self.model, google_api_key=KEY, base_url=URL).embed_documents(["one", "two"])
