#!/usr/bin/env bash
# @strands-agents/sdk (npm) 1.19.0, chat: of two parallel calls in a stream, each with its index as OpenAI sends them, only the last runs; the
# first is dropped without an error, and the next turn holds one result. The Responses side of the same package and strands-agents (PyPI) 1.62.0
# run both. Through a gateway that serves each model in both formats this client is right with `api: 'responses'`.
# Seen: Node chat runs Kyoto; Node Responses and Python chat run Bonn and Kyoto.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund @strands-agents/sdk@1.19.0 @modelcontextprotocol/sdk@1 openai@6 zod@4.6.7 >/dev/null
python3 -m venv env >/dev/null; ./env/bin/pip install --quiet --disable-pip-version-check 'strands-agents[openai]==1.62.0'
cat > server.mjs <<'JS'
import { createServer } from 'node:http'
const CITIES = ['Bonn', 'Kyoto']
const inputOf = (index) => JSON.stringify({ city: CITIES[index] })
const entry = (index, more) => ({ role: 'assistant', tool_calls: [{ index, ...more }] })
const CALLS = [0, 1].flatMap((index) => [
  entry(index, { id: `call_${index}`, type: 'function', function: { name: 'weather', arguments: '' } }),
  entry(index, { function: { arguments: inputOf(index) } }),
])
const itemOf = (index, status) => ({
  id: `fc_${index}`, type: 'function_call', status, call_id: `call_${index}`, name: 'weather', arguments: status === 'completed' ? inputOf(index) : '',
})
const message = { id: 'msg_0', type: 'message', status: 'completed', role: 'assistant', content: [{ type: 'output_text', text: 'done', annotations: [] }] }
const ITEMS = [0, 1].flatMap((index) => [
  { type: 'response.output_item.added', output_index: index, item: itemOf(index, 'in_progress') },
  { type: 'response.function_call_arguments.delta', item_id: `fc_${index}`, output_index: index, delta: inputOf(index) },
  { type: 'response.function_call_arguments.done', item_id: `fc_${index}`, output_index: index, name: 'weather', arguments: inputOf(index) },
  { type: 'response.output_item.done', output_index: index, item: itemOf(index, 'completed') },
])
const TEXT = [
  { type: 'response.output_item.added', output_index: 0, item: { ...message, status: 'in_progress', content: [] } },
  { type: 'response.output_text.delta', item_id: 'msg_0', output_index: 0, content_index: 0, delta: 'done', logprobs: [] },
  { type: 'response.output_item.done', output_index: 0, item: message },
]
createServer((request, response) => {
  let body = ''
  request.on('data', (part) => (body += part)).on('end', () => {
    const hasResult = body.includes('"tool_call_id"') || body.includes('function_call_output')
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (request.url.endsWith('/responses')) {
      const told = { id: 'r', object: 'response', created_at: 1, model: 'x', status: 'in_progress', output: [], parallel_tool_calls: true, tool_choice: 'auto', tools: [] }
      const usage = { input_tokens: 1, input_tokens_details: { cached_tokens: 0 }, output_tokens: 1, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 2 }
      const output = hasResult ? [message] : [itemOf(0, 'completed'), itemOf(1, 'completed')]
      const all = [{ type: 'response.created', response: told }, ...(hasResult ? TEXT : ITEMS), { type: 'response.completed', response: { ...told, status: 'completed', output, usage } }]
      for (const [sequence_number, event] of all.entries()) response.write(`event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`)
      return response.end()
    }
    const choices = (hasResult ? [{ role: 'assistant', content: 'done' }] : CALLS).map((delta) => ({ index: 0, delta, finish_reason: null }))
    for (const choice of [...choices, { index: 0, delta: {}, finish_reason: hasResult ? 'stop' : 'tool_calls' }])
      response.write(`data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'x', choices: [choice] })}\n\n`)
    response.end('data: [DONE]\n\n')
  })
}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })
JS
node server.mjs > port & server=$!
trap 'kill "$server"; rm -rf "$folder"' EXIT
until [ -s port ]; do sleep 0.1; done
cat > try.mjs <<'JS'
import assert from 'node:assert/strict'
import { Agent, tool } from '@strands-agents/sdk'
import { OpenAIModel } from '@strands-agents/sdk/models/openai'
import { z } from 'zod'
const seen = {}
for (const api of ['chat', 'responses']) {
  seen[api] = []
  const callback = ({ city }) => { seen[api].push(city); return 'sunny' }
  const weather = tool({ name: 'weather', description: 'weather', inputSchema: z.object({ city: z.string() }), callback })
  const model = new OpenAIModel({ api, modelId: 'x', apiKey: 'x', clientConfig: { baseURL: `http://127.0.0.1:${process.argv[2]}/v1` } })
  await new Agent({ model, printer: false, tools: [weather] }).invoke('hi')
}
console.log('node', seen)
assert.deepEqual(seen, { chat: ['Kyoto'], responses: ['Bonn', 'Kyoto'] }, 'the behaviour has changed')
JS
cat > try.py <<'PY'
import sys
from strands import Agent, tool
from strands.models.openai import OpenAIModel
seen = []
@tool
def weather(city: str) -> str:
    """Weather of a city."""
    seen.append(city)
    return 'sunny'
model = OpenAIModel(client_args={'api_key': 'x', 'base_url': f'http://127.0.0.1:{sys.argv[1]}/v1'}, model_id='x')
Agent(model=model, tools=[weather], callback_handler=None)('hi')
print('python', sorted(seen))
assert sorted(seen) == ['Bonn', 'Kyoto'], 'the behaviour has changed'
PY
node try.mjs "$(cat port)"; ./env/bin/python -W ignore try.py "$(cat port)"
