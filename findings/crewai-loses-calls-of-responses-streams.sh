#!/usr/bin/env bash
# crewai (PyPI) 1.15.30, OpenAI's models: an agent with `api: "responses"` and `stream: True` never runs a tool. The client collects the calls
# of the stream and returns the empty text, which the agent takes for a broken answer; openai (PyPI) 2.54.0, whose events it reads, has them.
# Not streamed, or by chat in either form, the same agent runs both. Through a gateway that serves each model in both formats this client is right
# with chat; the gateway sees calls that are paid for and never answered.
# Seen: chat whole and streamed, and Responses whole run Bonn and Kyoto; Responses streamed runs nothing and ends with a ValueError.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
python3 -m venv env >/dev/null; ./env/bin/pip install --quiet --disable-pip-version-check crewai==1.15.30 openai==2.54.0
cat > try.py <<'PY'
import json, os, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
os.environ.update(CREWAI_DISABLE_TELEMETRY='true', CREWAI_TRACING_ENABLED='false', OTEL_SDK_DISABLED='true', HOME=os.getcwd())
import openai
from crewai import LLM, Agent
from crewai.tools import tool

CITIES = ['Bonn', 'Kyoto']
ARGUMENTS = [json.dumps({'city': city}) for city in CITIES]
TEXT = {'id': 'msg_0', 'type': 'message', 'status': 'completed', 'role': 'assistant', 'content': [{'type': 'output_text', 'text': 'done', 'annotations': []}]}

def chat(is_stream, has_result):
    calls = [{'index': at, 'id': f'call_{at}', 'type': 'function', 'function': {'name': 'weather', 'arguments': ARGUMENTS[at]}} for at in (0, 1)]
    common = {'id': 'c', 'created': 1, 'model': 'x'}
    end = 'stop' if has_result else 'tool_calls'
    if not is_stream:
        message = {'role': 'assistant', 'content': 'done'} if has_result else {'role': 'assistant', 'content': None, 'tool_calls': calls}
        return [{**common, 'object': 'chat.completion', 'choices': [{'index': 0, 'message': message, 'finish_reason': end}]}]
    deltas = [{'content': 'done'}] if has_result else [{'tool_calls': [call]} for call in calls]
    choices = [*({'index': 0, 'delta': {'role': 'assistant', **delta}, 'finish_reason': None} for delta in deltas), {'index': 0, 'delta': {}, 'finish_reason': end}]
    return [{**common, 'object': 'chat.completion.chunk', 'choices': [choice]} for choice in choices]

def responses(is_stream, has_result):
    items = [TEXT] if has_result else [
        {'id': f'fc_{at}', 'type': 'function_call', 'status': 'completed', 'call_id': f'call_{at}', 'name': 'weather', 'arguments': ARGUMENTS[at]} for at in (0, 1)]
    usage = {'input_tokens': 1, 'input_tokens_details': {'cached_tokens': 0}, 'output_tokens': 1, 'output_tokens_details': {'reasoning_tokens': 0}, 'total_tokens': 2}
    told = {'id': 'r', 'object': 'response', 'created_at': 1, 'model': 'x', 'parallel_tool_calls': True, 'tool_choice': 'auto', 'tools': []}
    whole = {**told, 'status': 'completed', 'output': items, 'usage': usage}
    if not is_stream:
        return [whole]
    events = [{'type': 'response.created', 'response': {**told, 'status': 'in_progress', 'output': []}}]
    for at, item in enumerate(items):
        begun = {**item, 'status': 'in_progress', **({'content': []} if has_result else {'arguments': ''})}
        events.append({'type': 'response.output_item.added', 'output_index': at, 'item': begun})
        place = {'item_id': item['id'], 'output_index': at}
        if has_result:
            events.append({'type': 'response.output_text.delta', **place, 'content_index': 0, 'delta': 'done', 'logprobs': []})
        else:
            events.append({'type': 'response.function_call_arguments.delta', **place, 'delta': ARGUMENTS[at]})
            events.append({'type': 'response.function_call_arguments.done', **place, 'name': 'weather', 'arguments': ARGUMENTS[at]})
        events.append({'type': 'response.output_item.done', 'output_index': at, 'item': item})
    return [{**event, 'sequence_number': at} for at, event in enumerate([*events, {'type': 'response.completed', 'response': whole}])]

class Vendor(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers['content-length'])))
        is_stream = bool(body.get('stream'))
        has_result = any(item.get('role') == 'tool' or item.get('type') == 'function_call_output' for item in body.get('messages') or body['input'])
        answers = (responses if self.path.endswith('/responses') else chat)(is_stream, has_result)
        self.send_response(200); self.send_header('content-type', 'text/event-stream' if is_stream else 'application/json'); self.end_headers()
        for one in answers:
            line = f"event: {one['type']}\n" if 'type' in one else ''
            self.wfile.write((f'{line}data: {json.dumps(one)}\n\n' if is_stream else json.dumps(one)).encode())
    def log_message(self, *_):
        pass

server = ThreadingHTTPServer(('127.0.0.1', 0), Vendor)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f'http://127.0.0.1:{server.server_port}/v1'

def of_crewai(api, is_stream):
    ran = []
    @tool('weather')
    def weather(city: str) -> str:
        """The weather of a city."""
        ran.append(city)
        return 'sunny'
    llm = LLM(model='openai/x', base_url=base, api_key='x', api=api, stream=is_stream)
    agent = Agent(role='r', goal='g', backstory='b', tools=[weather], llm=llm, max_iter=3, verbose=False)
    try:
        end = agent.kickoff('hi').raw
    except Exception as error:
        end = type(error).__name__
    return [sorted(ran), end]

def of_openai():
    with openai.OpenAI(api_key='x', base_url=base).responses.stream(model='x', input=[{'role': 'user', 'content': 'hi'}]) as stream:
        return [json.loads(item.arguments)['city'] for item in stream.get_final_response().output]

seen = {f"{api}{' streamed' if is_stream else ''}": of_crewai(api, is_stream) for api in ('completions', 'responses') for is_stream in (False, True)}
print('crewai', seen, 'openai', of_openai())
right = [CITIES, 'done']
expected = {'completions': right, 'completions streamed': right, 'responses': right, 'responses streamed': [[], 'ValueError']}
assert seen == expected and of_openai() == CITIES, 'the behaviour has changed'
PY
./env/bin/python -W ignore try.py >told 2>errors </dev/null || { cat told errors; exit 1; }
grep -ao 'crewai {.*' told
