#!/usr/bin/env bash
# openai (PyPI) 3.57.0: the `error` event of a Responses stream in its documented flat form (code, message and param beside the type) does not
# end the iteration with an exception: the loop ends as after a whole answer. With the same fields also under `error` an APIError is raised.
# Seen: 'flat' ends normally with the text 'ab', 'nested' raises APIError.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
python3 -m venv env >/dev/null; ./env/bin/pip install --quiet openai==3.57.0
cat > try.py <<'PY'
import json, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
import openai

def event(value):
    return f"event: {value['type']}\ndata: {json.dumps(value)}\n\n"

RESPONSE = {'id': 'r', 'object': 'response', 'created_at': 1, 'model': 'x', 'status': 'in_progress', 'output': [], 'parallel_tool_calls': True, 'tool_choice': 'auto', 'tools': []}
FLAT = {'type': 'error', 'code': 'server_error', 'message': 'broke off', 'param': None, 'sequence_number': 2}
ERRORS = {'flat': FLAT, 'nested': {**FLAT, 'error': {'type': 'server_error', 'code': 'server_error', 'message': 'broke off', 'param': None}}}

class Vendor(BaseHTTPRequestHandler):
    form = ''
    def do_POST(self):
        self.rfile.read(int(self.headers.get('content-length', 0)))
        self.send_response(200); self.send_header('content-type', 'text/event-stream'); self.end_headers()
        delta = {'type': 'response.output_text.delta', 'item_id': 'i', 'output_index': 0, 'content_index': 0, 'delta': 'ab', 'sequence_number': 1, 'logprobs': []}
        self.wfile.write((event({'type': 'response.created', 'sequence_number': 0, 'response': RESPONSE}) + event(delta) + event(ERRORS[Vendor.form])).encode())
    def log_message(self, *_):
        pass

server = ThreadingHTTPServer(('127.0.0.1', 0), Vendor)
threading.Thread(target=server.serve_forever, daemon=True).start()
client = openai.OpenAI(api_key='x', base_url=f'http://127.0.0.1:{server.server_port}/v1', max_retries=0)
seen = {}
for Vendor.form in ERRORS:
    text = ''
    try:
        for one in client.responses.create(model='x', input='hi', stream=True):
            text += one.delta if one.type == 'response.output_text.delta' else ''
        seen[Vendor.form] = ('ended', text)
    except openai.APIError as error:
        seen[Vendor.form] = ('raised', error.message)
print(seen)
assert seen == {'flat': ('ended', 'ab'), 'nested': ('raised', 'broke off')}, 'the behaviour has changed'
PY
./env/bin/python try.py
