#!/usr/bin/env bash
# @anthropic-ai/sdk (npm) 1.14.0 and anthropic (PyPI) 2.14.0: an error that arrives in a begun stream as `data:` without its `event:` line is
# dropped without a word; the Python helper then returns the half message as the whole one. With the `event:` line both raise it.
# Seen: Node rejects only because message_stop is missing, and does not name the error; Python returns 'Hel' with stop_reason None.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund @anthropic-ai/sdk@1.14.0 >/dev/null
python3 -m venv env >/dev/null; ./env/bin/pip install --quiet anthropic==2.14.0
cat > server.mjs <<'JS'
import { createServer } from 'node:http'
const event = (value) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`
const message = { id: 'm', type: 'message', role: 'assistant', model: 'x', content: [], stop_reason: null, stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } }
const failure = { type: 'error', error: { type: 'overloaded_error', message: 'try later' } }
createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(event({ type: 'message_start', message }))
  response.write(event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }))
  response.write(event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } }))
  response.end(request.url.startsWith('/named') ? event(failure) : `data: ${JSON.stringify(failure)}\n\n`)
}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })
JS
node server.mjs > port & server=$!
trap 'kill "$server"; rm -rf "$folder"' EXIT
until [ -s port ]; do sleep 0.1; done
cat > try.mjs <<'JS'
import Anthropic from '@anthropic-ai/sdk'
for (const path of ['named', 'bare']) {
  const client = new Anthropic({ apiKey: 'x', baseURL: `http://127.0.0.1:${process.argv[2]}/${path}`, maxRetries: 0 })
  const seen = await client.messages.stream({ model: 'x', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] }).finalMessage().catch((error) => error)
  console.log('node', path, String(seen.message))
  if (String(seen.message).includes('try later') !== (path === 'named')) throw new Error('the behaviour has changed')
}
JS
cat > try.py <<'PY'
import sys, anthropic
for path in ('named', 'bare'):
    client = anthropic.Anthropic(api_key='x', base_url=f'http://127.0.0.1:{sys.argv[1]}/{path}', max_retries=0)
    try:
        with client.messages.stream(model='x', max_tokens=9, messages=[{'role': 'user', 'content': 'hi'}]) as stream:
            final = stream.get_final_message()
        seen = (final.content[0].text, final.stop_reason)
    except anthropic.APIError as error:
        seen = error.message
    print('python', path, seen)
    assert (seen == ('Hel', None)) == (path == 'bare'), 'the behaviour has changed'
PY
node try.mjs "$(cat port)"; ./env/bin/python try.py "$(cat port)"
