#!/usr/bin/env bash
# @langchain/openai (npm) 1.6.0: a call whose arguments are the empty text, as vendors send it for a tool without parameters, is a valid call
# with {} when streamed and an invalid one when not, which agents do not run; langchain-openai (PyPI) 1.7.4 takes it in both forms. A gateway
# that writes "{}" is understood everywhere.
# Seen: Node streamed 1 call, whole 0 calls and 1 invalid; Python 1 call in both.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund @langchain/openai@1.6.0 @langchain/core@1.4.0 >/dev/null
python3 -m venv env >/dev/null; ./env/bin/pip install --quiet --disable-pip-version-check langchain-openai==1.7.4
cat > server.mjs <<'JS'
import { createServer } from 'node:http'
const call = { id: 'call_1', type: 'function', function: { name: 'ping', arguments: '' } }
const head = { id: 'c', created: 1, model: 'x' }
createServer((request, response) => {
  let body = ''
  request.on('data', (part) => (body += part)).on('end', () => {
    if (!JSON.parse(body).stream) {
      const choice = { index: 0, message: { role: 'assistant', content: null, tool_calls: [call] }, finish_reason: 'tool_calls' }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ ...head, object: 'chat.completion', choices: [choice] }))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const delta = { role: 'assistant', content: null, tool_calls: [{ index: 0, ...call }] }
    for (const choice of [{ index: 0, delta, finish_reason: null }, { index: 0, delta: {}, finish_reason: 'tool_calls' }])
      response.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [choice] })}\n\n`)
    response.end('data: [DONE]\n\n')
  })
}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })
JS
node server.mjs > port & server=$!
trap 'kill "$server"; rm -rf "$folder"' EXIT
until [ -s port ]; do sleep 0.1; done
cat > try.mjs <<'JS'
import assert from 'node:assert/strict'
import { ChatOpenAI } from '@langchain/openai'
const tool = { type: 'function', function: { name: 'ping', parameters: { type: 'object', properties: {} } } }
const model = new ChatOpenAI({ model: 'x', apiKey: 'x', configuration: { baseURL: `http://127.0.0.1:${process.argv[2]}/v1` } }).bindTools([tool])
const whole = await model.invoke('hi')
let streamed
for await (const chunk of await model.stream('hi')) streamed = streamed === undefined ? chunk : streamed.concat(chunk)
const counts = ({ tool_calls, invalid_tool_calls }) => [tool_calls.length, invalid_tool_calls.length]
console.log('node', { whole: counts(whole), streamed: counts(streamed) })
assert.deepEqual([counts(whole), counts(streamed)], [[0, 1], [1, 0]], 'the behaviour has changed')
JS
cat > try.py <<'PY'
import sys
from langchain_openai import ChatOpenAI
tool = {'type': 'function', 'function': {'name': 'ping', 'parameters': {'type': 'object', 'properties': {}}}}
model = ChatOpenAI(model='x', api_key='x', base_url=f'http://127.0.0.1:{sys.argv[1]}/v1').bind_tools([tool])
streamed = None
for chunk in model.stream('hi'):
    streamed = chunk if streamed is None else streamed + chunk
seen = [(len(one.tool_calls), len(one.invalid_tool_calls)) for one in (model.invoke('hi'), streamed)]
print('python', seen)
assert seen == [(1, 0), (1, 0)], 'the behaviour has changed'
PY
node try.mjs "$(cat port)"; ./env/bin/python try.py "$(cat port)"
