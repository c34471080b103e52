#!/usr/bin/env bash
# Five providers of one SDK, ai (npm) 7.0.173, look for the usage of a chat stream in different places, and by default only @ai-sdk/deepseek
# 3.0.56 asks for it as OpenAI wants it asked for. @ai-sdk/openai-compatible 3.0.92, @ai-sdk/mistral 4.0.87 and @openrouter/ai-sdk-provider 3.1.0
# take it where it comes unasked, @ai-sdk/groq 4.0.84 from `x_groq` alone. Behind a gateway that keeps to OpenAI's rule a user of four of them
# sees no tokens for calls that are charged, and of the fifth no cached ones, which it knows by DeepSeek's name only.
# Seen, as input (cached)/output: by OpenAI's rule deepseek 100 (0)/30 and nothing in four; unasked with the finish 100/30 in four, nothing in
# groq; in `x_groq` 100 (40)/30 in groq and nothing in four.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund ai@7.0.173 @ai-sdk/openai-compatible@3.0.92 @ai-sdk/deepseek@3.0.56 @ai-sdk/groq@4.0.84 @ai-sdk/mistral@4.0.87 @openrouter/ai-sdk-provider@3.1.0 zod@4.6.7 >/dev/null
cat > try.mjs <<'JS'
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { createDeepSeek } from '@ai-sdk/deepseek'
import { createGroq } from '@ai-sdk/groq'
import { createMistral } from '@ai-sdk/mistral'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createOpenRouter } from '@openrouter/ai-sdk-provider'
import { streamText } from 'ai'
globalThis.AI_SDK_LOG_WARNINGS = false
const usage = { prompt_tokens: 100, completion_tokens: 30, total_tokens: 130, prompt_tokens_details: { cached_tokens: 40 } }
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (part) => (body += part)).on('end', () => {
    const { model, stream_options } = JSON.parse(body)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const write = (choices, more) => response.write(`data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model, choices, ...more })}\n\n`)
    write([{ index: 0, delta: { role: 'assistant', content: 'hello' }, finish_reason: null }])
    write([{ index: 0, delta: {}, finish_reason: 'stop' }], { finish: { usage }, x_groq: { x_groq: { id: 'r', usage } } }[model])
    if (model === 'rule' && stream_options?.include_usage === true) write([], { usage })
    response.end('data: [DONE]\n\n')
  })
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const options = { name: 'v', apiKey: 'x', baseURL: `http://127.0.0.1:${server.address().port}/v1` }
const providers = {
  compatible: createOpenAICompatible(options), deepseek: createDeepSeek(options), mistral: createMistral(options), openrouter: createOpenRouter(options), groq: createGroq(options),
}
const seen = {}
for (const [name, of] of Object.entries(providers)) {
  seen[name] = {}
  for (const model of ['rule', 'finish', 'x_groq']) {
    const result = streamText({ model: of(model), prompt: 'hi' })
    assert.equal(await result.text, 'hello')
    const { inputTokens, outputTokens, inputTokenDetails } = await result.usage
    seen[name][model] = inputTokens === undefined ? 'none' : `${inputTokens} (${inputTokenDetails.cacheReadTokens})/${outputTokens}`
  }
}
server.close()
console.log(seen)
const right = '100 (40)/30'
const unasked = { rule: 'none', finish: right, x_groq: 'none' }
const deepseek = { rule: '100 (0)/30', finish: '100 (0)/30', x_groq: 'none' }
const groq = { rule: 'none', finish: 'none', x_groq: right }
assert.deepEqual(seen, { compatible: unasked, deepseek, mistral: unasked, openrouter: unasked, groq }, 'the behaviour has changed')
JS
node try.mjs
