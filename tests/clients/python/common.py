"""What every client shares: the address, the expected answers, and the check of one cell."""

import json
import os

URL = os.environ["TOLLGATE_URL"]
KEY = os.environ["TOLLGATE_KEY"]
EXPECTED = json.loads(os.environ["EXPECTED"])
IMAGE_URL = f"data:image/png;base64,{EXPECTED['pixel']}"
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"], "additionalProperties": False}
ASK = {
    "chat": "hello",
    "tools": "What is the weather?",
    "schema": "Give a structured city.",
    "image": "Describe this picture.",
    "think": "Please ponder.",
    "again": "Please ponder once more.",
    "bad": "refuse",
}


def weather(city: str) -> str:
    """The weather of a city."""
    return EXPECTED["weather"][city]


def join(parts):
    return "".join(part for part in parts if part)


def must_raise(kind, call, status=None):
    try:
        found = call()
    except kind as error:
        told = getattr(error, "status_code", None) or getattr(error, "code", None)
        if status is not None and told != status:
            raise AssertionError(f"{type(error).__name__} tells status {told!r}, not {status}")
        return
    raise AssertionError(f"nothing was raised, but {str(found)[:80]!r} answered")
