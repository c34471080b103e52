"""Copied beside a program into the folder with its SDK: sends what the SDK sends to the recorder, and says which conversation it is."""
import json
import os
import urllib.request
from urllib.parse import urlsplit

import httpx
import requests

RECORDER = os.environ['RECORDER']
MODELS = json.loads(os.environ['MODELS'])
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'conversation.json'), encoding='utf-8') as file:
    # The conversation's words, the same as in the requests of our clients.
    SAID = json.load(file)

_send_requests = requests.adapters.HTTPAdapter.send
_send_httpx = httpx.HTTPTransport.handle_request


def _requests(adapter, request, **options):
    """SDKs keep the addresses of their vendors; only the connection goes elsewhere."""
    url = urlsplit(request.url)
    request.headers['x-recorded-origin'] = f'{url.scheme}://{url.netloc}'
    request.url = RECORDER + request.url[len(f'{url.scheme}://{url.netloc}') :]
    return _send_requests(adapter, request, **{**options, 'proxies': {}})


def _httpx(transport, request):
    url = request.url
    request.headers['x-recorded-origin'] = f'{url.scheme}://{url.netloc.decode()}'
    request.url = httpx.URL(RECORDER + url.raw_path.decode())
    return _send_httpx(transport, request)


requests.adapters.HTTPAdapter.send = _requests
httpx.HTTPTransport.handle_request = _httpx


def record(conversation, answers, call):
    """One conversation: the server gives the answers, in order, and the SDK must read them without an error."""
    body = json.dumps({'conversation': conversation, 'answers': answers if isinstance(answers, list) else [answers]})
    urllib.request.urlopen(urllib.request.Request(RECORDER + '/__next', body.encode(), method='POST'))
    result = call(MODELS.get(conversation, MODELS['chat']))
    if conversation == 'stream':
        assert list(result), 'no event'
