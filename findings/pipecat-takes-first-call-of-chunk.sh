#!/usr/bin/env bash
# pipecat-ai (PyPI) 1.14.0 runs only the first tool call of a chunk: of two calls that arrive whole in one `tool_calls` list, as vendors send
# parallel calls that they have at once, the second is dropped without an error, and the next turn holds one result. openai (PyPI) 3.57.0 reads
# both. A gateway that writes a chunk for each call, as OpenAI does, serves both; one that passes such a chunk on loses calls of voice agents.
# Seen: in two chunks both run first and second; in one chunk openai reads first and second, pipecat runs first.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
python3 -m venv env >/dev/null; ./env/bin/pip install --quiet --disable-pip-version-check 'pipecat-ai[openai]==1.14.0' openai==3.57.0
cat > try.py <<'PY'
import asyncio, json, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
import openai
from loguru import logger
logger.remove()
from pipecat.frames.frames import LLMContextFrame
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.services.openai.llm import OpenAILLMService
from pipecat.tests.utils import run_test

NAMES = ('first', 'second')
CALLS = [{'index': index, 'id': f'call_{index}', 'type': 'function', 'function': {'name': name, 'arguments': '{}'}} for index, name in enumerate(NAMES)]
CHUNKS = {'apart': [[CALLS[0]], [CALLS[1]]], 'together': [CALLS]}

class Vendor(BaseHTTPRequestHandler):
    def do_POST(self):
        model = json.loads(self.rfile.read(int(self.headers['content-length'])))['model']
        self.send_response(200); self.send_header('content-type', 'text/event-stream'); self.end_headers()
        choices = [{'index': 0, 'delta': {'role': 'assistant', 'tool_calls': calls}, 'finish_reason': None} for calls in CHUNKS[model]]
        for choice in [*choices, {'index': 0, 'delta': {}, 'finish_reason': 'tool_calls'}]:
            chunk = {'id': 'c', 'object': 'chat.completion.chunk', 'created': 1, 'model': model, 'choices': [choice]}
            self.wfile.write(f'data: {json.dumps(chunk)}\n\n'.encode())
        self.wfile.write(b'data: [DONE]\n\n')
    def log_message(self, *_):
        pass

server = ThreadingHTTPServer(('127.0.0.1', 0), Vendor)
threading.Thread(target=server.serve_forever, daemon=True).start()
BASE = f'http://127.0.0.1:{server.server_port}/v1'
MESSAGES = [{'role': 'user', 'content': 'hi'}]

def of_openai(model):
    with openai.OpenAI(api_key='x', base_url=BASE).chat.completions.stream(model=model, messages=MESSAGES) as stream:
        return [call.function.name for call in stream.get_final_completion().choices[0].message.tool_calls]

async def of_pipecat(model):
    called = []
    async def handle(params):
        called.append(params.function_name)
        await params.result_callback('ok')
    service = OpenAILLMService(settings=OpenAILLMService.Settings(model=model), api_key='x', base_url=BASE)
    for name in NAMES:
        service.register_function(name, handle)
    await run_test(service, frames_to_send=[LLMContextFrame(LLMContext(MESSAGES))])
    return sorted(called)

seen = {model: {'openai': of_openai(model), 'pipecat': asyncio.run(of_pipecat(model))} for model in CHUNKS}
print(seen)
both = ['first', 'second']
assert seen == {'apart': {'openai': both, 'pipecat': both}, 'together': {'openai': both, 'pipecat': ['first']}}, 'the behaviour has changed'
PY
./env/bin/python -W ignore try.py
