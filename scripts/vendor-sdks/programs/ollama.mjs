import { Ollama } from 'ollama'
import { record, said } from './record.mjs'

const client = new Ollama()
const { system, prompt, tool, call } = said
const messages = [
  { role: 'system', content: system },
  { role: 'user', content: prompt },
]
const options = { num_predict: said.max_tokens }
const tools = [{ type: 'function', function: tool }]
const done = { done: true, done_reason: 'stop', prompt_eval_count: 9, eval_count: 3 }
const line = (message, more = { done: false }) => ({
  model: 'm',
  created_at: '2026-11-28T00:00:00Z',
  message: { role: 'assistant', ...message },
  ...more,
})
const text = { body: line({ content: 'Sunny.' }, done) }
const lines = [line({ content: 'Sun' }), line({ content: 'ny.' }), line({ content: '' }, done)]
const stream = { type: 'application/x-ndjson', body: `${lines.map((one) => JSON.stringify(one)).join('\n')}\n` }
const used = { function: { name: tool.name, arguments: call.arguments } }

await record('plain', text, (model) =>
  client.chat({ model, messages, options: { ...options, temperature: said.temperature, top_p: said.top_p, stop: said.stop } }),
)
await record('stream', stream, (model) => client.chat({ model, messages, options, stream: true }))
await record('tools', { body: line({ content: '', tool_calls: [used] }, done) }, (model) =>
  client.chat({ model, messages, options, tools }),
)
await record('tool result', text, (model) =>
  client.chat({
    model,
    messages: [
      ...messages,
      { role: 'assistant', content: '', tool_calls: [used] },
      { role: 'tool', tool_name: tool.name, content: call.result },
    ],
    options,
    tools,
  }),
)
await record('thinking', text, (model) => client.chat({ model, messages, options, think: said.thinking.effort }))
await record('picture', text, (model) =>
  client.chat({ model, messages: [{ role: 'user', content: prompt, images: [said.picture] }], options }),
)
await record('schema', text, (model) => client.chat({ model, messages, options, format: said.schema.schema }))
await record('embedding', { body: { model: 'm', embeddings: [[0.5], [0.25]], prompt_eval_count: 4 } }, (model) =>
  client.embed({ model, input: said.texts }),
)
