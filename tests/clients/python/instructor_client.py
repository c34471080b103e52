"""Instructor, which makes each vendor's client answer with a model of Pydantic."""

import anthropic
import instructor
import openai
from pydantic import BaseModel

from common import ASK, KEY, URL


class City(BaseModel):
    """A city."""

    city: str


class Instructor:
    def __init__(self, model):
        self.model = model
        self.client = self.connect(KEY)

    def connect(self, key):
        return instructor.from_openai(openai.OpenAI(api_key=key, base_url=f"{URL}/v1", max_retries=0))

    more = {}

    def extract(self, text, model=None, key=None):
        client = self.client if key is None else self.connect(key)
        messages = [{"role": "user", "content": text}]
        create = client.chat.completions.create
        return create(model=model or self.model, messages=messages, response_model=City, max_retries=0, **self.more)

    def schema(self):
        return self.extract(ASK["schema"]).model_dump()

    def errors(self):
        for expected, more in (("400", {"text": ASK["bad"]}), ("404", {"text": "hi", "model": "no-such-model"}), ("401", {"text": "hi", "key": "sk-no"})):
            try:
                self.extract(**more)
            except Exception as error:
                assert expected in str(error), f"{error} tells no {expected}"
            else:
                raise AssertionError("nothing was raised")


class InstructorAnthropic(Instructor):
    more = {"max_tokens": 500}

    def connect(self, key):
        return instructor.from_anthropic(anthropic.Anthropic(api_key=key, base_url=URL, max_retries=0))
