#!/usr/bin/env bash
# @openai/agents (npm) 0.20.0 and openai-agents (PyPI) 0.24.0, the same vendor's SDK in two languages, treat the two fields for a chat model's
# reasoning differently. Node reads only `reasoning`. Python reads `reasoning_content` as summary and `reasoning` as content; of a whole message
# with both it takes the first, of a stream both, so that the thought is held twice. A gateway that writes only the
# usual `reasoning_content` shows none in Node, and one that writes both doubles the reasoning of Python's streams.
# Seen: Node reasoning "think", reasoning_content none, both "think"; Python content "think", summary "think", both: whole summary "think",
# streamed summary "think" and content "think".
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund @openai/agents@0.20.0 openai@7.59.0 zod@4.6.7 >/dev/null
python3 -m venv env >/dev/null; ./env/bin/pip install --quiet --disable-pip-version-check openai-agents==0.24.0 openai==3.57.0
cat > server.mjs <<'JS'
import { createServer } from 'node:http'
const FIELDS = { reasoning: ['reasoning'], content: ['reasoning_content'], both: ['reasoning', 'reasoning_content'] }
createServer((request, response) => {
  let body = ''
  request.on('data', (part) => (body += part)).on('end', () => {
    const { model, stream } = JSON.parse(body)
    const thought = Object.fromEntries(FIELDS[model].map((name) => [name, 'think']))
    const head = { id: 'c', created: 1, model: 'x' }
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
    if (!stream) {
      const message = { role: 'assistant', content: 'answer', ...thought }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop', logprobs: null }], usage }))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const write = (choices, more) => response.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices, ...more })}\n\n`)
    write([{ index: 0, delta: { role: 'assistant', ...thought }, finish_reason: null }])
    write([{ index: 0, delta: { content: 'answer' }, finish_reason: null }])
    write([{ index: 0, delta: {}, finish_reason: 'stop' }])
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
import { Agent, OpenAIChatCompletionsModel, run, setTracingDisabled } from '@openai/agents'
import OpenAI from 'openai'
setTracingDisabled(true)
const client = new OpenAI({ apiKey: 'x', baseURL: `http://127.0.0.1:${process.argv[2]}/v1`, maxRetries: 0 })
const seen = {}
for (const model of ['reasoning', 'content', 'both']) {
  for (const stream of [false, true]) {
    const result = await run(new Agent({ name: 'a', model: new OpenAIChatCompletionsModel(client, model) }), 'hi', { stream })
    if (stream) { for await (const _ of result); await result.completed }
    const items = result.rawResponses[0].output.filter(({ type }) => type === 'reasoning')
    seen[`${model} ${stream ? 'stream' : 'whole'}`] = items.flatMap((item) => [...item.content, ...(item.rawContent ?? [])]).map(({ text }) => text).join('')
  }
}
console.log('node', seen)
const expected = { 'reasoning whole': 'think', 'reasoning stream': 'think', 'content whole': '', 'content stream': '', 'both whole': 'think', 'both stream': 'think' }
assert.deepEqual(seen, expected, 'the behaviour has changed')
JS
cat > try.py <<'PY'
import asyncio, sys
import agents, openai
agents.set_tracing_disabled(True)
client = openai.AsyncOpenAI(api_key='x', base_url=f'http://127.0.0.1:{sys.argv[1]}/v1', max_retries=0)
async def ask(model, is_stream):
    agent = agents.Agent(name='a', model=agents.OpenAIChatCompletionsModel(model=model, openai_client=client))
    if is_stream:
        result = agents.Runner.run_streamed(agent, 'hi')
        async for _ in result.stream_events():
            pass
    else:
        result = await agents.Runner.run(agent, 'hi')
    items = [item for item in result.raw_responses[0].output if item.type == 'reasoning']
    return ' '.join(f'{part.type} {part.text}' for item in items for part in [*item.summary, *(item.content or [])])
async def main():
    return {f'{model} {form}': await ask(model, form == 'stream') for model in ('reasoning', 'content', 'both') for form in ('whole', 'stream')}
seen = asyncio.run(main())
print('python', seen)
summary, content = 'summary_text think', 'reasoning_text think'
expected = {
    'reasoning whole': content, 'reasoning stream': content, 'content whole': summary, 'content stream': summary,
    'both whole': summary, 'both stream': f'{summary} {content}',
}
assert seen == expected, 'the behaviour has changed'
PY
node try.mjs "$(cat port)"; ./env/bin/python try.py "$(cat port)"
