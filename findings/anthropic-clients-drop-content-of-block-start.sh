#!/usr/bin/env bash
# Content that a `content_block_start` holds already is kept by the helper of @anthropic-ai/sdk (npm) 1.14.0, and each of these loses another
# part of it: @ai-sdk/anthropic 4.0.105 the text of a text block, @langchain/anthropic 1.5.11 and litellm (PyPI) 1.110.2 the input of a tool
# call, which is then called with {}. A gateway that writes such events begins every block empty and sends all content as deltas.
# Seen: text "one two" or, with ai, "two"; tool input {"a":1} or, with LangChain for Node and LiteLLM, {}.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @anthropic-ai/sdk@1.14.0 ai@7.0.173 @ai-sdk/anthropic@4.0.105 @langchain/anthropic@1.5.11 @langchain/core@1.4.0 zod@4.6.7 >/dev/null
python3 -m venv env >/dev/null; ./env/bin/pip install --quiet --disable-pip-version-check litellm==1.110.2
cat > server.mjs <<'JS'
import { createServer } from 'node:http'
const usage = { input_tokens: 1, output_tokens: 1 }
const message = { id: 'm', type: 'message', role: 'assistant', model: 'x', content: [], stop_reason: null, stop_sequence: null, usage }
createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'one ' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'two' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'toolu_1', name: 'add', input: { a: 1 } } },
    { type: 'content_block_stop', index: 1 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage },
    { type: 'message_stop' },
  ])
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  response.end()
}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })
JS
node server.mjs > port & server=$!
trap 'kill "$server"; rm -rf "$folder"' EXIT
until [ -s port ]; do sleep 0.1; done
cat > try.mjs <<'JS'
import assert from 'node:assert/strict'
import Anthropic from '@anthropic-ai/sdk'
import { createAnthropic } from '@ai-sdk/anthropic'
import { ChatAnthropic } from '@langchain/anthropic'
import { jsonSchema, streamText, tool } from 'ai'
globalThis.AI_SDK_LOG_WARNINGS = false
const base = `http://127.0.0.1:${process.argv[2]}`
const parameters = { type: 'object', properties: { a: { type: 'integer' } } }
const sdk = await new Anthropic({ apiKey: 'x', baseURL: base }).messages
  .stream({ model: 'x', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }], tools: [{ name: 'add', input_schema: parameters }] })
  .finalMessage()
const streamed = streamText({
  model: createAnthropic({ apiKey: 'x', baseURL: `${base}/v1` })('x'), prompt: 'hi', maxOutputTokens: 9, tools: { add: tool({ inputSchema: jsonSchema(parameters) }) },
})
await streamed.consumeStream()
const chat = new ChatAnthropic({ model: 'x', apiKey: 'x', maxTokens: 9, anthropicApiUrl: base })
let whole
for await (const chunk of await chat.bindTools([{ name: 'add', input_schema: parameters }]).stream('hi')) whole = whole === undefined ? chunk : whole.concat(chunk)
const seen = {
  sdk: [sdk.content[0].text, sdk.content[1].input],
  ai: [await streamed.text, (await streamed.toolCalls)[0].input],
  langchain: [whole.text, whole.tool_calls[0].args],
}
console.log(JSON.stringify(seen))
assert.deepEqual(seen, { sdk: ['one two', { a: 1 }], ai: ['two', { a: 1 }], langchain: ['one two', {}] }, 'the behaviour has changed')
JS
cat > try.py <<'PY'
import sys
import litellm
tools = [{'type': 'function', 'function': {'name': 'add', 'parameters': {'type': 'object', 'properties': {'a': {'type': 'integer'}}}}}]
chunks = litellm.completion(model='anthropic/x', api_base=f'http://127.0.0.1:{sys.argv[1]}', api_key='x', messages=[{'role': 'user', 'content': 'hi'}], tools=tools, stream=True)
message = litellm.stream_chunk_builder(list(chunks)).choices[0].message
seen = (message.content, message.tool_calls[0].function.arguments)
print('litellm', seen)
assert seen == ('one two', '{}'), 'the behaviour has changed'
PY
node try.mjs "$(cat port)"; LITELLM_LOCAL_MODEL_COST_MAP=True ./env/bin/python try.py "$(cat port)"
