"""Runs the clients of one environment: prints one JSON line per cell. Arguments: the environment, names of clients; none: all."""

import json
import sys
import traceback

from common import EXPECTED


def of_newest():
    from agents_client import Agents
    from langchain_client import LangChainAnthropic, LangChainGoogle, LangChainOpenAI, LangChainResponses
    from haystack_client import Haystack, HaystackResponses
    from hugging_face_client import HuggingFace
    from litellm_client import LiteLLMAnthropic, LiteLLMGemini, LiteLLMOpenAI
    from pydantic_ai_client import PydanticAnthropic, PydanticChat, PydanticResponses
    from sdks import Chat, Gemini, Messages, Responses

    return {
        "python openai (chat)": Chat,
        "python openai (responses)": Responses,
        "python anthropic": Messages,
        "python google-genai": Gemini,
        "python langchain-openai (chat)": LangChainOpenAI,
        "python langchain-openai (responses)": LangChainResponses,
        "python langchain-anthropic": LangChainAnthropic,
        "python langchain-google-genai": LangChainGoogle,
        "python litellm (openai)": LiteLLMOpenAI,
        "python litellm (anthropic)": LiteLLMAnthropic,
        "python litellm (gemini)": LiteLLMGemini,
        "python openai-agents": Agents,
        "python pydantic-ai (chat)": PydanticChat,
        "python pydantic-ai (responses)": PydanticResponses,
        "python pydantic-ai (anthropic)": PydanticAnthropic,
        "python haystack (chat)": Haystack,
        "python haystack (responses)": HaystackResponses,
        "python huggingface_hub": HuggingFace,
    }


def of_older():
    from instructor_client import Instructor, InstructorAnthropic
    from llama_index_client import LlamaIndex

    return {
        "python instructor (openai)": Instructor,
        "python instructor (anthropic)": InstructorAnthropic,
        "python llama-index": LlamaIndex,
    }


def of_frameworks():
    from agno_client import Agno, AgnoAnthropic, AgnoResponses
    from mirascope_client import Mirascope, MirascopeAnthropic, MirascopeGoogle, MirascopeResponses

    return {
        "python mirascope (chat)": Mirascope,
        "python mirascope (responses)": MirascopeResponses,
        "python mirascope (anthropic)": MirascopeAnthropic,
        "python mirascope (gemini)": MirascopeGoogle,
        "python agno (chat)": Agno,
        "python agno (responses)": AgnoResponses,
        "python agno (anthropic)": AgnoAnthropic,
    }


VENDORS = ["openai", "chat", "anthropic", "gemini"]


def equal(found, expected):
    if found != expected:
        raise AssertionError(f"{found!r} instead of {expected!r}")


def check_models(found):
    missing = {f"model-{vendor}" for vendor in VENDORS} - set(found)
    equal(missing, set())


CHECKS = {
    "models": check_models,
    "chat": lambda found: equal(found, EXPECTED["text"]),
    "stream": lambda found: equal(found, EXPECTED["text"]),
    "usage": lambda found: [equal(pair, (EXPECTED["input"], EXPECTED["output"])) for pair in found],
    "tools": lambda found: equal(found, EXPECTED["forecast"]),
    "schema": lambda found: equal(found, {"city": "Bonn"}),
    "image": lambda found: equal(found, EXPECTED["picture"]),
    # A client that has no place for the reasoning's text gives None.
    "reasoning": lambda found: equal(found, (found[0] and EXPECTED["reasoning"], EXPECTED["thoughts"][1])),
    "errors": lambda _found: None,
    "embeddings": lambda found: equal([len(vector) for vector in found], [EXPECTED["dimensions"]] * 2),
}


def run(make, vendor, case):
    client = make(f"model-{vendor}")
    call = getattr(client, case, None)
    if call is None:
        return "none", "the client has no such call"
    try:
        if case == "embeddings" and vendor == "anthropic":
            try:
                call()
            except client.failed as error:
                return "none", "Anthropic has no embeddings: an error answers"
            raise AssertionError("a vendor without embeddings answered")
        CHECKS[case](call())
        return "ok", ""
    except Exception as error:
        traceback.print_exc()
        return "red", f"{type(error).__name__}: {error}"[:300]


environment, *wanted = sys.argv[1:]
for name, make in {"newest": of_newest, "older": of_older, "frameworks": of_frameworks}[environment]().items():
    if wanted and name not in wanted:
        continue
    for vendor in VENDORS:
        for case in CHECKS:
            result, reason = run(make, vendor, case)
            print("CELL " + json.dumps({"client": name, "vendor": vendor, "case": case, "result": result, "reason": reason}), flush=True)
