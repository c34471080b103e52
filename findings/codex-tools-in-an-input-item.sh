#!/usr/bin/env bash
# @openai/codex (npm) 0.171.0: for its GPT-6 models it sends no `tools` at all. All of them stand in the first item of `input`, of type
# `additional_tools` and role `developer`, below tools of type `namespace`; for GPT-5.5 the same program sends a plain `tools` list. A gateway
# that reads `tools` only offers a converted model nothing, and the agent ends with an answer and no error.
# Seen: gpt-5.5 tools true, item none; gpt-6.2-sol tools false, item with namespaces functions, clock, collaboration.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund @openai/codex@0.171.0 >/dev/null
cat > server.mjs <<'JS'
import { createServer } from 'node:http'
import { appendFileSync } from 'node:fs'
createServer((request, response) => {
  let text = ''
  request.on('data', (piece) => (text += piece))
  request.on('end', () => {
    if (request.method !== 'POST') return response.writeHead(404).end()
    const body = JSON.parse(text)
    const item = body.input.find(({ type }) => type === 'additional_tools')
    appendFileSync('seen.txt', `${body.model} tools ${Array.isArray(body.tools)} item ${item ? item.tools.map(({ name }) => name).join(',') : 'none'}\n`)
    const done = { id: 'r', object: 'response', created_at: 1, model: body.model, status: 'completed', output: [], usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } }
    const message = { id: 'm', type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'ok', annotations: [] }] }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of [
      { type: 'response.created', response: { ...done, status: 'in_progress' } },
      { type: 'response.output_item.done', output_index: 0, item: message },
      { type: 'response.completed', response: { ...done, output: [message] } },
    ]) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    response.end()
  })
}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })
JS
node server.mjs > port & server=$!
trap 'kill "$server"; rm -rf "$folder"' EXIT
until [ -s port ]; do sleep 0.1; done
mkdir home work
for model in gpt-5.5 gpt-6.2-sol; do
  printf '%s\n' "model = \"$model\"" 'model_provider = "local"' '[analytics]' 'enabled = false' '[model_providers.local]' 'name = "local"' \
    "base_url = \"http://127.0.0.1:$(cat port)/v1\"" 'env_key = "LOCAL_KEY"' 'wire_api = "responses"' > home/config.toml
  (cd work && CODEX_HOME="$folder/home" LOCAL_KEY=x ../node_modules/.bin/codex exec --skip-git-repo-check 'Say ok.' </dev/null >/dev/null 2>&1)
done
cat seen.txt
grep -q '^gpt-5.5 tools true item none$' seen.txt && grep -q '^gpt-6.2-sol tools false item functions,' seen.txt || { echo 'the behaviour has changed'; exit 1; }
