#!/usr/bin/env bash
# huggingface_hub (PyPI) 2.4.0: InferenceClient with an OpenAI-compatible base_url rewrites response_format json_schema into the form of
# Hugging Face's own servers, {"type": "json_object", "value": SCHEMA}, without a word. The schema's name and strict are gone, and a server
# that knows json_object only answers JSON of any shape. A gateway has to read the schema from "value".
# Seen: sent {"type": "json_object", "value": {"type": "object", …}} for the caller's json_schema.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
python3 -m venv env >/dev/null; ./env/bin/pip install --quiet --disable-pip-version-check huggingface_hub==2.4.0
cat > try.py <<'PY'
import http.server
import json
import threading

from huggingface_hub import InferenceClient

seen = []


class Server(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        seen.append(json.loads(self.rfile.read(int(self.headers['content-length']))))
        choice = {'index': 0, 'message': {'role': 'assistant', 'content': '{}'}, 'finish_reason': 'stop'}
        usage = {'prompt_tokens': 1, 'completion_tokens': 1, 'total_tokens': 2}
        body = {'id': 'c', 'object': 'chat.completion', 'created': 1, 'model': 'x', 'system_fingerprint': '', 'choices': [choice], 'usage': usage}
        text = json.dumps(body).encode()
        self.send_response(200)
        self.send_header('content-type', 'application/json')
        self.send_header('content-length', str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


server = http.server.HTTPServer(('127.0.0.1', 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f'http://127.0.0.1:{server.server_port}'
schema = {'type': 'object', 'properties': {'city': {'type': 'string'}}, 'required': ['city'], 'additionalProperties': False}
form = {'type': 'json_schema', 'json_schema': {'name': 'city', 'strict': True, 'schema': schema}}
ask = {'messages': [{'role': 'user', 'content': 'A city, please.'}], 'response_format': form}
InferenceClient(base_url=f'{url}/v1', api_key='x').chat.completions.create(model='x', **ask)
[sent] = [body['response_format'] for body in seen]
print('sent', sent)
assert sent == {'type': 'json_object', 'value': schema}, 'the behaviour has changed'
PY
./env/bin/python try.py
