#!/usr/bin/env bash
# A chat stream with n: 2 gives one text with the pieces of both answers mixed in ai (npm) 7.0.173 with @ai-sdk/openai-compatible 3.0.92, in
# @langchain/openai 1.6.0 and in langchain-openai (PyPI) 1.7.4, without an error; @openai/agents (npm) 0.20.0 keeps the first answer
# and warns. Not streamed, each gives the first answer. Both answers are paid for.
# Seen: streamed "one eins twozwei" in three and "one two" in @openai/agents; whole "one two" in all four.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund ai@7.0.173 @ai-sdk/openai-compatible@3.0.92 @langchain/openai@1.6.0 @langchain/core@1.4.0 @openai/agents@0.20.0 openai@7.59.0 zod@4.6.7 >/dev/null
python3 -m venv env >/dev/null; ./env/bin/pip install --quiet --disable-pip-version-check langchain-openai==1.7.4
cat > server.mjs <<'JS'
import { createServer } from 'node:http'
const head = { id: 'c', created: 1, model: 'x' }
createServer((request, response) => {
  let body = ''
  request.on('data', (part) => (body += part)).on('end', () => {
    const { n, stream } = JSON.parse(body)
    if (n !== 2) return response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"n is not 2"}}')
    const usage = { prompt_tokens: 1, completion_tokens: 4, total_tokens: 5 }
    if (!stream) {
      const choices = ['one two', 'eins zwei'].map((content, index) => ({ index, message: { role: 'assistant', content }, finish_reason: 'stop' }))
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ...head, object: 'chat.completion', choices, usage }))
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const write = (choices, more) => response.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices, ...more })}\n\n`)
    const pieces = [[0, 'one '], [1, 'eins '], [0, 'two'], [1, 'zwei']]
    for (const [index, content] of pieces) write([{ index, delta: { role: 'assistant', content }, finish_reason: null }])
    for (const index of [0, 1]) write([{ index, delta: {}, finish_reason: 'stop' }])
    write([], { usage })
    response.end('data: [DONE]\n\n')
  })
}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })
JS
node server.mjs > port & server=$!
trap 'kill "$server"; rm -rf "$folder"' EXIT
until [ -s port ]; do sleep 0.1; done
cat > try.mjs <<'JS'
import assert from 'node:assert/strict'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { ChatOpenAI } from '@langchain/openai'
import { Agent, OpenAIChatCompletionsModel, run, setTracingDisabled } from '@openai/agents'
import { generateText, streamText } from 'ai'
import OpenAI from 'openai'
setTracingDisabled(true)
const baseURL = `http://127.0.0.1:${process.argv[2]}/v1`
const ai = { model: createOpenAICompatible({ name: 'v', apiKey: 'x', baseURL })('x'), prompt: 'hi', providerOptions: { v: { n: 2 } } }
const chat = new ChatOpenAI({ model: 'x', apiKey: 'x', n: 2, configuration: { baseURL } })
let streamed
for await (const chunk of await chat.stream('hi')) streamed = streamed === undefined ? chunk : streamed.concat(chunk)
const client = new OpenAI({ apiKey: 'x', baseURL })
const agent = new Agent({ name: 'a', model: new OpenAIChatCompletionsModel(client, 'x'), modelSettings: { providerData: { n: 2 } } })
const result = await run(agent, 'hi', { stream: true })
for await (const _ of result);
await result.completed
const seen = {
  ai: [(await generateText(ai)).text, await streamText(ai).text],
  langchain: [(await chat.invoke('hi')).text, streamed.text],
  agents: [(await run(agent, 'hi')).finalOutput, result.finalOutput],
}
console.log('node', JSON.stringify(seen))
const mixed = ['one two', 'one eins twozwei']
assert.deepEqual(seen, { ai: mixed, langchain: mixed, agents: ['one two', 'one two'] }, 'the behaviour has changed')
JS
cat > try.py <<'PY'
import sys
from langchain_openai import ChatOpenAI
chat = ChatOpenAI(model='x', api_key='x', n=2, base_url=f'http://127.0.0.1:{sys.argv[1]}/v1')
seen = (chat.invoke('hi').text, ''.join(chunk.text for chunk in chat.stream('hi')))
print('python langchain', seen)
assert seen == ('one two', 'one eins twozwei'), 'the behaviour has changed'
PY
node try.mjs "$(cat port)"; ./env/bin/python try.py "$(cat port)"
