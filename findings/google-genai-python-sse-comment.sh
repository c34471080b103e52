#!/usr/bin/env bash
# google-genai (PyPI) 3.6.1: a comment line in an event stream, which the standard lets clients ignore, ends generate_content_stream with
# UnknownApiResponseError. An empty line in the same place is harmless, so a gateway keeps such a stream open with bare newlines.
# Seen: 'comment' raises, 'newline' gives both chunks.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
python3 -m venv env >/dev/null; ./env/bin/pip install --quiet google-genai==3.6.1
cat > try.py <<'PY'
import json, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from google import genai
from google.genai import types

def chunk(text, **over):
    return 'data: ' + json.dumps({'candidates': [{'content': {'role': 'model', 'parts': [{'text': text}]}, **over}]}) + '\n\n'

PINGS = {'comment': ': keep-alive\n\n', 'newline': '\n'}

class Vendor(BaseHTTPRequestHandler):
    ping = ''
    def do_POST(self):
        self.rfile.read(int(self.headers.get('content-length', 0)))
        self.send_response(200); self.send_header('content-type', 'text/event-stream'); self.end_headers()
        self.wfile.write((chunk('Hel') + PINGS[Vendor.ping] + chunk('lo', finishReason='STOP')).encode())
    def log_message(self, *_):
        pass

server = ThreadingHTTPServer(('127.0.0.1', 0), Vendor)
threading.Thread(target=server.serve_forever, daemon=True).start()
client = genai.Client(api_key='x', http_options=types.HttpOptions(base_url=f'http://127.0.0.1:{server.server_port}'))
seen = {}
for Vendor.ping in PINGS:
    try:
        seen[Vendor.ping] = ''.join(part.text or '' for part in client.models.generate_content_stream(model='gemini-2.5-flash', contents='hi'))
    except Exception as error:
        seen[Vendor.ping] = type(error).__name__
print(seen)
assert seen == {'comment': 'UnknownApiResponseError', 'newline': 'Hello'}, 'the behaviour has changed'
PY
./env/bin/python try.py
