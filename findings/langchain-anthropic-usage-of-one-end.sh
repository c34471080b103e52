#!/usr/bin/env bash
# langchain-anthropic (PyPI) 1.7.10 and @langchain/anthropic (npm) 1.5.11 read a stream's usage from opposite ends: for Python the input tokens
# are those of message_delta alone, for Node those of message_start alone, and Node adds the output tokens of both although the second are the
# total. Only a stream with the input in both events and no output in the first is counted rightly by both.
# Seen, for 10 and 5 tokens: input at the start only: Python 0/5, Node 10/7; at the end only: Python 10/5, Node 0/5; in both: 10/5 and 10/5.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund @langchain/anthropic@1.5.11 @langchain/core@1.4.0 >/dev/null
python3 -m venv env >/dev/null; ./env/bin/pip install --quiet --disable-pip-version-check langchain-anthropic==1.7.10
cat > server.mjs <<'JS'
import { createServer } from 'node:http'
const USAGES = {
  start: [{ input_tokens: 10, output_tokens: 2 }, { output_tokens: 5 }],
  end: [{ input_tokens: 0, output_tokens: 0 }, { input_tokens: 10, output_tokens: 5 }],
  both: [{ input_tokens: 10, output_tokens: 0 }, { input_tokens: 10, output_tokens: 5 }],
}
createServer((request, response) => {
  let body = ''
  request.on('data', (part) => (body += part)).on('end', () => {
    const [early, late] = USAGES[JSON.parse(body).model]
    const message = { id: 'm', type: 'message', role: 'assistant', model: 'x', content: [], stop_reason: null, stop_sequence: null, usage: early }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hello' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: late },
      { type: 'message_stop' },
    ])
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    response.end()
  })
}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })
JS
node server.mjs > port & server=$!
trap 'kill "$server"; rm -rf "$folder"' EXIT
until [ -s port ]; do sleep 0.1; done
cat > try.mjs <<'JS'
import assert from 'node:assert/strict'
import { ChatAnthropic } from '@langchain/anthropic'
const seen = {}
for (const model of ['start', 'end', 'both']) {
  let whole
  const chat = new ChatAnthropic({ model, apiKey: 'x', maxTokens: 9, anthropicApiUrl: `http://127.0.0.1:${process.argv[2]}` })
  for await (const chunk of await chat.stream('hi')) whole = whole === undefined ? chunk : whole.concat(chunk)
  seen[model] = `${whole.usage_metadata.input_tokens}/${whole.usage_metadata.output_tokens}`
}
console.log('node', seen)
assert.deepEqual(seen, { start: '10/7', end: '0/5', both: '10/5' }, 'the behaviour has changed')
JS
cat > try.py <<'PY'
import sys
from langchain_anthropic import ChatAnthropic
seen = {}
for model in ('start', 'end', 'both'):
    whole = None
    for chunk in ChatAnthropic(model=model, api_key='x', max_tokens=9, base_url=f'http://127.0.0.1:{sys.argv[1]}').stream('hi'):
        whole = chunk if whole is None else whole + chunk
    seen[model] = f"{whole.usage_metadata['input_tokens']}/{whole.usage_metadata['output_tokens']}"
print('python', seen)
assert seen == {'start': '0/5', 'end': '10/5', 'both': '10/5'}, 'the behaviour has changed'
PY
node try.mjs "$(cat port)"; ./env/bin/python try.py "$(cat port)"
