#!/usr/bin/env bash
# litellm (PyPI) 1.110.2, Router with its default strategy: `rpm` of a deployment does not limit it, it weighs it. Of two deployments of a model
# the one with `rpm: 1` gets every request and the one without a limit none, and a single one with `rpm: 1` answers twenty requests at once.
# A gateway that takes over such a configuration has to carry `rpm` as a share of the requests: as a limit it refuses what was answered.
# Seen: limited 20, unlimited 0; alone 20 of 20; with rpm 9 and 1 the larger gets most.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
python3 -m venv env >/dev/null; ./env/bin/pip install --quiet --disable-pip-version-check litellm==1.110.2
cat > try.py <<'PY'
import json
import random
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
import litellm
from litellm import Router
litellm.suppress_debug_info = True
class Vendor(BaseHTTPRequestHandler):
    def do_POST(self):
        model = json.loads(self.rfile.read(int(self.headers['content-length'])))['model']
        choice = {'index': 0, 'message': {'role': 'assistant', 'content': 'hi'}, 'finish_reason': 'stop'}
        usage = {'prompt_tokens': 1, 'completion_tokens': 1, 'total_tokens': 2}
        body = json.dumps({'id': 'c', 'object': 'chat.completion', 'created': 1, 'model': model, 'choices': [choice], 'usage': usage}).encode()
        self.send_response(200)
        self.send_header('content-type', 'application/json')
        self.send_header('content-length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *_):
        pass
server = ThreadingHTTPServer(('127.0.0.1', 0), Vendor)
threading.Thread(target=server.serve_forever, daemon=True).start()
def share(**limits):
    params = {'api_key': 'x', 'api_base': f'http://127.0.0.1:{server.server_port}/v1'}
    entries = [{'model_name': 'm', 'litellm_params': {'model': f'openai/{name}', **params, **limit}} for name, limit in limits.items()]
    router = Router(model_list=entries, num_retries=0)
    return dict(Counter(router.completion('m', [{'role': 'user', 'content': 'hi'}]).model for _ in range(20)))
random.seed(1)
both, alone, shares = share(limited={'rpm': 1}, unlimited={}), share(limited={'rpm': 1}), share(nine={'rpm': 9}, one={'rpm': 1})
print(both, alone, shares)
assert (both, alone) == ({'limited': 20}, {'limited': 20}) and shares['nine'] > shares.get('one', 0), 'the behaviour has changed'
PY
LITELLM_LOCAL_MODEL_COST_MAP=True ./env/bin/python try.py 2>/dev/null
