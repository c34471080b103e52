#!/usr/bin/env bash
# autogen-ext (PyPI) 0.7.5: a tool call that arrives in one chunk of a chat stream with text is dropped without an error. The turn ends with the
# text if every call came so, and runs the rest of the calls if one did. Its whole answers, and openai (PyPI) 3.57.0 in both forms, have the
# calls. Models that say what they are about to do send such chunks where the vendor has text and calls at once; a gateway that gives each a
# chunk of its own serves both.
# Seen: in chunks of their own AutoGen calls first and second; with text in the first call's chunk it calls second; all in one chunk "ok".
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
python3 -m venv env >/dev/null
./env/bin/pip install --quiet --disable-pip-version-check 'autogen-ext[openai]==0.7.5' autogen-core==0.7.5 openai==3.57.0
cat > try.py <<'PY'
import asyncio, json, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
import openai
from autogen_core.models import CreateResult, UserMessage
from autogen_ext.models.openai import OpenAIChatCompletionClient

NAMES = ('first', 'second')
CALLS = [{'index': index, 'id': f'call_{index}', 'type': 'function', 'function': {'name': name, 'arguments': '{}'}} for index, name in enumerate(NAMES)]
FORMS = {
    'apart': [{'content': 'ok'}, {'tool_calls': CALLS[:1]}, {'tool_calls': CALLS[1:]}],
    'first beside text': [{'content': 'ok', 'tool_calls': CALLS[:1]}, {'tool_calls': CALLS[1:]}],
    'together': [{'content': 'ok', 'tool_calls': CALLS}],
}
TOOLS = [{'type': 'function', 'function': {'name': name, 'parameters': {'type': 'object', 'properties': {}}}} for name in NAMES]
USAGE = {'prompt_tokens': 1, 'completion_tokens': 1, 'total_tokens': 2}

class Vendor(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers['content-length'])))
        head = {'id': 'c', 'created': 1, 'model': body['model']}
        self.send_response(200)
        if not body.get('stream'):
            message = {'role': 'assistant', 'content': 'ok', 'tool_calls': [{key: value for key, value in call.items() if key != 'index'} for call in CALLS]}
            self.send_header('content-type', 'application/json'); self.end_headers()
            choices = [{'index': 0, 'message': message, 'finish_reason': 'tool_calls', 'logprobs': None}]
            self.wfile.write(json.dumps({**head, 'object': 'chat.completion', 'choices': choices, 'usage': USAGE}).encode())
            return
        self.send_header('content-type', 'text/event-stream'); self.end_headers()
        deltas = [({'role': 'assistant', **delta}, None) for delta in FORMS[body['model']]]
        for delta, finish in [*deltas, ({}, 'tool_calls')]:
            chunk = {**head, 'object': 'chat.completion.chunk', 'choices': [{'index': 0, 'delta': delta, 'finish_reason': finish}]}
            self.wfile.write(f'data: {json.dumps(chunk)}\n\n'.encode())
        self.wfile.write(b'data: [DONE]\n\n')
    def log_message(self, *_):
        pass

server = ThreadingHTTPServer(('127.0.0.1', 0), Vendor)
threading.Thread(target=server.serve_forever, daemon=True).start()
BASE = f'http://127.0.0.1:{server.server_port}/v1'

def of_openai(form):
    with openai.OpenAI(api_key='x', base_url=BASE).chat.completions.stream(model=form, messages=[{'role': 'user', 'content': 'hi'}], tools=TOOLS) as stream:
        return [call.function.name for call in stream.get_final_completion().choices[0].message.tool_calls]

async def of_autogen(form, is_stream):
    info = {'vision': False, 'function_calling': True, 'json_output': False, 'family': 'unknown', 'structured_output': False}
    client = OpenAIChatCompletionClient(model=form, api_key='x', base_url=BASE, model_info=info)
    messages, tools = [UserMessage(content='hi', source='user')], [{'name': name} for name in NAMES]
    if is_stream:
        result = [part async for part in client.create_stream(messages, tools=tools) if isinstance(part, CreateResult)][0]
    else:
        result = await client.create(messages, tools=tools)
    return result.content if isinstance(result.content, str) else [call.name for call in result.content]

seen = {form: [of_openai(form), asyncio.run(of_autogen(form, True)), asyncio.run(of_autogen(form, False))] for form in FORMS}
for form, (by_openai, streamed, whole) in seen.items():
    print(f'{form}: openai {by_openai}, autogen streamed {streamed}, whole {whole}')
both = [*NAMES]
expected = {'apart': [both, both, both], 'first beside text': [both, ['second'], both], 'together': [both, 'ok', both]}
assert seen == expected, 'the behaviour has changed'
PY
./env/bin/python -W ignore try.py
