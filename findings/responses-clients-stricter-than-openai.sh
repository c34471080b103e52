#!/usr/bin/env bash
# Two clients of Responses streams take less than OpenAI's description allows. @earendil-works/pi-ai (npm) 0.74.2 does not read `output_index`:
# what arrives while two calls are open goes to the one that opened last, which then runs with the arguments of the other. @ai-sdk/xai 5.0.12,
# whose models speak Responses by default, refuses a stream whose reasoning has no `status`, an optional field, and reports an error for the event
# `keepalive` that OpenAI's SDK knows, though it reads on. openai (npm) 7.59.0 and @ai-sdk/openai 4.0.118 take all of it. A
# gateway that converts into this format closes a call before the next and gives every item its status.
# Seen, calls in turn: {"a":1} and {"b":2} in all; both open: pi {"a":1} twice, the others right; no status, or keepalive: xai
# AI_TypeValidationError.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @earendil-works/pi-ai@0.74.2 ai@7.0.173 @ai-sdk/openai@4.0.118 @ai-sdk/xai@5.0.12 openai@7.59.0 zod@4.6.7 >/dev/null
cat > try.mjs <<'JS'
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { createOpenAI } from '@ai-sdk/openai'
import { createXai } from '@ai-sdk/xai'
import { complete } from '@earendil-works/pi-ai'
import { jsonSchema, streamText, tool } from 'ai'
import OpenAI from 'openai'
globalThis.AI_SDK_LOG_WARNINGS = false
const ARGUMENTS = ['{"a":1}', '{"b":2}']
const call = (index, status) => ({
  id: `fc_${index}`, type: 'function_call', status, call_id: `call_${index}`, name: 'f', arguments: status === 'completed' ? ARGUMENTS[index] : '',
})
const at = (output_index) => ({ item_id: `fc_${output_index}`, output_index })
const added = (index) => opened(index, call(index, 'in_progress'))
const delta = (index) => ({ type: 'response.function_call_arguments.delta', ...at(index), delta: ARGUMENTS[index] })
const done = (index) => [
  { type: 'response.function_call_arguments.done', ...at(index), name: 'f', arguments: ARGUMENTS[index] },
  closed(index, call(index, 'completed')),
]
const thought = (more) => ({ id: 'rs_0', type: 'reasoning', summary: [], ...more })
const message = {
  id: 'msg_1', type: 'message', status: 'completed', role: 'assistant', content: [{ type: 'output_text', text: 'hello', annotations: [], logprobs: [] }],
}
const calls = [call(0, 'completed'), call(1, 'completed')]
const opened = (output_index, item) => ({ type: 'response.output_item.added', output_index, item })
const closed = (output_index, item) => ({ type: 'response.output_item.done', output_index, item })
const thinking = (more) => ({
  events: [opened(0, thought(more)), closed(0, thought(more)), opened(1, { ...message, status: 'in_progress', content: [] }), closed(1, message)],
  output: [thought(more), message],
})
const ANSWERS = {
  turn: { events: [added(0), delta(0), ...done(0), added(1), delta(1), ...done(1)], output: calls },
  open: { events: [added(0), delta(0), added(1), delta(1), ...done(0), ...done(1)], output: calls },
  status: thinking({ status: 'completed' }),
  bare: thinking({}),
  alive: { ...thinking({ status: 'completed' }), begin: [{ type: 'keepalive' }] },
}
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (part) => (body += part)).on('end', () => {
    const { model } = JSON.parse(body)
    const { begin = [], events, output } = ANSWERS[model]
    const usage = { input_tokens: 1, input_tokens_details: { cached_tokens: 0 }, output_tokens: 1, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 2 }
    const told = { id: 'resp_1', object: 'response', created_at: 1, model, status: 'in_progress', output: [], parallel_tool_calls: true, tool_choice: 'auto', tools: [] }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const all = [{ type: 'response.created', response: told }, ...begin, ...events, { type: 'response.completed', response: { ...told, status: 'completed', output, usage } }]
    for (const [sequence_number, event] of all.entries()) response.write(`event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`)
    response.end()
  })
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const baseURL = `http://127.0.0.1:${server.address().port}/v1`
const parameters = { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } } }
const joined = (list) => list.map((input) => JSON.stringify(input)).join(' ')
const ofAi = (provider) => async (model) => {
  let failure
  const result = streamText({
    model: provider.responses(model), prompt: 'hi', tools: { f: tool({ inputSchema: jsonSchema(parameters) }) }, onError: ({ error }) => (failure = error.name),
  })
  await result.consumeStream({ onError: () => undefined })
  return failure ?? joined((await result.toolCalls).map(({ input }) => input))
}
const clients = {
  openai: async (model) => {
    const stream = new OpenAI({ apiKey: 'x', baseURL }).responses.stream({ model, input: 'hi' })
    const { output } = await stream.finalResponse()
    return joined(output.filter(({ type }) => type === 'function_call').map((one) => JSON.parse(one.arguments)))
  },
  aiOpenai: ofAi(createOpenAI({ apiKey: 'x', baseURL })),
  aiXai: ofAi(createXai({ apiKey: 'x', baseURL })),
  pi: async (id) => {
    const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
    const model = { id, name: id, api: 'openai-responses', provider: 'v', baseUrl: baseURL, reasoning: false, input: ['text'], cost, contextWindow: 9999, maxTokens: 999 }
    const { content, errorMessage } = await complete(model, { messages: [{ role: 'user', content: 'hi', timestamp: 1 }] }, { apiKey: 'x' })
    return errorMessage ?? joined(content.filter(({ type }) => type === 'toolCall').map((one) => one.arguments))
  },
}
const seen = {}
for (const [name, of] of Object.entries(clients)) seen[name] = Object.fromEntries(await Promise.all(Object.keys(ANSWERS).map(async (model) => [model, await of(model)])))
server.close(); server.closeAllConnections()
console.log(seen)
const both = '{"a":1} {"b":2}'
const right = { turn: both, open: both, status: '', bare: '', alive: '' }
const expected = { openai: right, aiOpenai: right, aiXai: { ...right, bare: 'AI_TypeValidationError', alive: 'AI_TypeValidationError' }, pi: { ...right, open: '{"a":1} {"a":1}' } }
assert.deepEqual(seen, expected, 'the behaviour has changed')
JS
node try.mjs
