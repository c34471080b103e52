#!/usr/bin/env bash
# pydantic-ai-slim 2.68.0 and langchain-openai 1.7.4 (PyPI): both add up the usage of every chunk of a chat stream, so a vendor that repeats the
# running total, or gives the same usage with the finish and once more by itself, is counted several times; the helper of openai 3.57.0 and
# haystack-ai 3.4.1 keep the last. A gateway has to send the usage once whatever its vendor does.
# Seen, for 10 and 3 tokens: running totals 40 and 6 in both, the same usage twice 20 and 6 in both, once 10 and 3 in all four.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
python3 -m venv env >/dev/null
./env/bin/pip install --quiet --disable-pip-version-check 'pydantic-ai-slim[openai]==2.68.0' langchain-openai==1.7.4 haystack-ai==3.4.1 openai==3.57.0
cat > try.py <<'PY'
import asyncio, json, threading, warnings
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
warnings.simplefilter('ignore')
import openai
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.utils import Secret
from langchain_openai import ChatOpenAI
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

def chunk(choices, output=None):
    usage = {} if output is None else {'usage': {'prompt_tokens': 10, 'completion_tokens': output, 'total_tokens': 10 + output}}
    return {'id': 'c', 'object': 'chat.completion.chunk', 'created': 1, 'model': 'x', 'choices': choices, **usage}

def said(delta, finish=None):
    return [{'index': 0, 'delta': delta, 'finish_reason': finish}]

FIRST, SECOND, END = said({'role': 'assistant', 'content': 'one '}), said({'content': 'two'}), said({}, 'stop')
STREAMS = {
    'once': [chunk(FIRST), chunk(SECOND), chunk(END), chunk([], 3)],
    'running': [chunk(said({'role': 'assistant', 'content': ''}), 0), chunk(FIRST, 1), chunk(SECOND, 2), chunk(END, 3)],
    'twice': [chunk(FIRST), chunk(SECOND), chunk(END, 3), chunk([], 3)],
}

class Vendor(BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers['content-length'])))
        self.send_response(200); self.send_header('content-type', 'text/event-stream'); self.end_headers()
        self.wfile.write((''.join(f'data: {json.dumps(one)}\n\n' for one in STREAMS[asked['model']]) + 'data: [DONE]\n\n').encode())
    def log_message(self, *_):
        pass

server = ThreadingHTTPServer(('127.0.0.1', 0), Vendor)
threading.Thread(target=server.serve_forever, daemon=True).start()
BASE = f'http://127.0.0.1:{server.server_port}/v1'

def of_openai(model):
    options = {'include_usage': True}
    with openai.OpenAI(api_key='x', base_url=BASE).chat.completions.stream(model=model, messages=[{'role': 'user', 'content': 'hi'}], stream_options=options) as stream:
        usage = stream.get_final_completion().usage
    return usage.prompt_tokens, usage.completion_tokens

def of_haystack(model):
    generator = OpenAIChatGenerator(api_key=Secret.from_token('x'), model=model, api_base_url=BASE, streaming_callback=lambda _: None)
    usage = generator.run([ChatMessage.from_user('hi')])['replies'][0].meta['usage']
    return usage['prompt_tokens'], usage['completion_tokens']

def of_langchain(model):
    whole = None
    for one in ChatOpenAI(model=model, api_key='x', base_url=BASE, stream_usage=True).stream('hi'):
        whole = one if whole is None else whole + one
    return whole.usage_metadata['input_tokens'], whole.usage_metadata['output_tokens']

def of_pydantic(model):
    async def run():
        agent = Agent(OpenAIChatModel(model, provider=OpenAIProvider(api_key='x', base_url=BASE)))
        async with agent.run_stream('hi') as found:
            await found.get_output()
            return found.usage.input_tokens, found.usage.output_tokens
    return asyncio.run(run())

seen = {model: [of(model) for of in (of_openai, of_haystack, of_langchain, of_pydantic)] for model in STREAMS}
print(seen)
right = (10, 3)
assert seen == {'once': [right] * 4, 'running': [right, right, (40, 6), (40, 6)], 'twice': [right, right, (20, 6), (20, 6)]}, 'the behaviour has changed'
PY
./env/bin/python try.py
