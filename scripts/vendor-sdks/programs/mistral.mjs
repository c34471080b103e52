import { Mistral } from '@mistralai/mistralai'
import { record, said } from './record.mjs'
import { embeddings, schemaAnswer, stream, text, toolUse } from './openai-answers.mjs'

const { chat, embeddings: vectors } = new Mistral({ apiKey: 'the-key' })
const { prompt, tool, call, schema } = said
const maxTokens = said.max_tokens
const messages = [
  { role: 'system', content: said.system },
  { role: 'user', content: prompt },
]
const tools = [{ type: 'function', function: tool }]

await record('plain', text, (model) =>
  chat.complete({ model, messages, maxTokens, temperature: said.temperature, topP: said.top_p, stop: said.stop }),
)
await record('stream', stream, (model) => chat.stream({ model, messages, maxTokens }))
await record('tools', toolUse, (model) => chat.complete({ model, messages, maxTokens, tools, toolChoice: 'any' }))
await record('tool result', text, (model) =>
  chat.complete({
    model,
    messages: [
      ...messages,
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: call.id, type: 'function', function: { name: tool.name, arguments: JSON.stringify(call.arguments) } }],
      },
      { role: 'tool', toolCallId: call.id, content: call.result },
    ],
    maxTokens,
    tools,
  }),
)
await record('thinking', text, (model) => chat.complete({ model, messages, maxTokens, reasoningEffort: said.thinking.effort }))
await record('picture', text, (model) =>
  chat.complete({
    model,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: prompt },
          { type: 'image_url', imageUrl: { url: `data:image/png;base64,${said.picture}` } },
        ],
      },
    ],
    maxTokens,
  }),
)
await record('schema', schemaAnswer, (model) =>
  chat.complete({
    model,
    messages,
    maxTokens,
    responseFormat: { type: 'json_schema', jsonSchema: { name: schema.name, schemaDefinition: schema.schema } },
  }),
)
await record('embedding', embeddings, (model) => vectors.create({ model, inputs: said.texts }))
