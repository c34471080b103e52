#!/usr/bin/env bash
# semantic-kernel (PyPI) 1.45.0, connector for Google: a tool that is declared as `weather__today` comes back as a call of `weather-today` with a
# result of `weather__today`, neither with an id; Google counts results and does not compare their names. Of two calls that arrive in chunks of
# their own, only the last runs; google-genai (PyPI) 1.75.0, which it calls, keeps names and reads both. A gateway that finds the call of a
# result by its name loses the results, and one that writes a chunk for each call, which other clients need in chat, loses calls.
# Seen: declared weather__today, called weather-today twice, answered weather__today twice; streamed together Bonn and Kyoto run, apart Kyoto.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
python3 -m venv env >/dev/null; ./env/bin/pip install --quiet --disable-pip-version-check 'semantic-kernel[google]==1.45.0' google-genai==1.75.0
cat > try.py <<'PY'
import asyncio, json, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from google.genai import Client, types
from semantic_kernel import Kernel
from semantic_kernel.connectors.ai.function_choice_behavior import FunctionChoiceBehavior
from semantic_kernel.connectors.ai.google.google_ai import GoogleAIChatCompletion, GoogleAIChatPromptExecutionSettings
from semantic_kernel.contents import ChatHistory
from semantic_kernel.functions import kernel_function

bodies = []

class Google(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers['content-length'])))
        bodies.append(body)
        name = body['tools'][0]['functionDeclarations'][0]['name']
        calls = [{'functionCall': {'name': name, 'args': {'city': city}}} for city in ('Bonn', 'Kyoto')]
        parts = [{'text': 'done'}] if 'functionResponse' in json.dumps(body) else calls
        usage = {'promptTokenCount': 1, 'candidatesTokenCount': 1, 'totalTokenCount': 2}
        def answer(parts, more={'finishReason': 'STOP'}):
            return json.dumps({'candidates': [{'content': {'role': 'model', 'parts': parts}, 'index': 0, **more}], 'usageMetadata': usage})
        is_stream = 'streamGenerateContent' in self.path
        self.send_response(200); self.send_header('content-type', 'text/event-stream' if is_stream else 'application/json'); self.end_headers()
        if not is_stream:
            return self.wfile.write(answer(parts).encode())
        is_apart = '/apart:' in self.path and len(parts) > 1
        for chunk in [answer(parts[:1], {}), answer(parts[1:])] if is_apart else [answer(parts)]:
            self.wfile.write(f'data: {chunk}\r\n\r\n'.encode())
    def log_message(self, *_):
        pass

server = ThreadingHTTPServer(('127.0.0.1', 0), Google)
threading.Thread(target=server.serve_forever, daemon=True).start()
client = Client(api_key='x', http_options={'base_url': f'http://127.0.0.1:{server.server_port}'})

def names():
    body = bodies[-1]
    parts = [part for content in body['contents'] for part in content['parts']]
    told = [[part[kind] for part in parts if kind in part] for kind in ('functionCall', 'functionResponse')]
    assert not any('id' in one for ones in told for one in ones), 'the behaviour has changed'
    return [body['tools'][0]['functionDeclarations'][0]['name'], *([one['name'] for one in ones] for ones in told)]

ran = []

class Weather:
    @kernel_function(name='today', description='weather')
    def today(self, city: str) -> str:
        ran.append(city)
        return 'sunny'

async def run(model, is_stream):
    ran.clear()
    kernel = Kernel()
    kernel.add_plugin(Weather(), plugin_name='weather')
    history = ChatHistory()
    history.add_user_message('hi')
    settings = GoogleAIChatPromptExecutionSettings(function_choice_behavior=FunctionChoiceBehavior.Auto())
    service = GoogleAIChatCompletion(gemini_model_id=model, client=client)
    if is_stream:
        async for _ in service.get_streaming_chat_message_contents(history, settings, kernel=kernel):
            pass
    else:
        await service.get_chat_message_content(history, settings, kernel=kernel)
    return sorted(ran)

def of_semantic_kernel():
    asyncio.run(run('together', False))
    return names()

def of_google():
    def weather__today(city: str) -> str:
        """Weather of a city."""
        return 'sunny'
    client.models.generate_content(model='x', contents='hi', config=types.GenerateContentConfig(tools=[weather__today]))
    return names()

def streamed_to_google(model):
    tool = types.Tool(function_declarations=[types.FunctionDeclaration(name='weather__today')])
    stream = client.models.generate_content_stream(model=model, contents='hi', config=types.GenerateContentConfig(tools=[tool]))
    return [call.args['city'] for chunk in stream for call in chunk.function_calls or []]

seen = {'semantic-kernel': of_semantic_kernel(), 'google-genai': of_google()}
streamed = {model: {'semantic-kernel': asyncio.run(run(model, True)), 'google-genai': streamed_to_google(model)} for model in ('together', 'apart')}
print(seen, streamed)
theirs, own = ['weather__today'] * 2, ['weather-today'] * 2
expected = {'semantic-kernel': ['weather__today', own, theirs], 'google-genai': ['weather__today', theirs, theirs]}
both = ['Bonn', 'Kyoto']
runs = {'together': {'semantic-kernel': both, 'google-genai': both}, 'apart': {'semantic-kernel': ['Kyoto'], 'google-genai': both}}
assert seen == expected and streamed == runs, 'the behaviour has changed'
PY
./env/bin/python -W ignore try.py
