import { CohereClientV2 } from 'cohere-ai'
import { record, said } from './record.mjs'
import { requests, sse } from './openai-answers.mjs'

const client = new CohereClientV2({ token: 'the-key' })
const usage = { billed_units: { input_tokens: 9, output_tokens: 3 }, tokens: { input_tokens: 19, output_tokens: 3 } }
const answer = (message, finish_reason) => ({ body: { id: 'c1', message: { role: 'assistant', ...message }, finish_reason, usage } })
const text = answer({ content: [{ type: 'text', text: 'Sunny.' }] }, 'COMPLETE')
const toolUse = answer({ tool_plan: 'Look.', tool_calls: requests.toolResult.messages[2].tool_calls }, 'TOOL_CALL')
const stream = sse([
  { type: 'message-start', id: 'c1', delta: { message: { role: 'assistant', content: [] } } },
  { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } },
  { type: 'content-delta', index: 0, delta: { message: { content: { text: 'Sunny.' } } } },
  { type: 'content-end', index: 0 },
  { type: 'message-end', id: 'c1', delta: { finish_reason: 'COMPLETE', usage } },
])
const maxTokens = said.max_tokens
const { messages, tools } = requests.toolResult
const toCamel = ({ tool_calls, tool_call_id, ...rest }) => ({
  ...rest,
  ...(tool_calls === undefined ? {} : { toolCalls: tool_calls }),
  ...(tool_call_id === undefined ? {} : { toolCallId: tool_call_id }),
})
const asked = messages.slice(0, 2)

await record('plain', text, (model) =>
  client.chat({ model, messages: asked, maxTokens, temperature: said.temperature, p: said.top_p, stopSequences: said.stop }),
)
await record('stream', stream, (model) => client.chatStream({ model, messages: asked, maxTokens }))
await record('tools', toolUse, (model) => client.chat({ model, messages: asked, maxTokens, tools, toolChoice: 'REQUIRED' }))
await record('tool result', text, (model) => client.chat({ model, messages: messages.map(toCamel), maxTokens, tools }))
await record('thinking', text, (model) => client.chat({ model, messages: asked, maxTokens, thinking: { type: 'enabled' } }))
await record('picture', text, (model) =>
  client.chat({
    model,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: said.prompt },
          { type: 'image_url', imageUrl: { url: `data:image/png;base64,${said.picture}` } },
        ],
      },
    ],
    maxTokens,
  }),
)
await record('schema', text, (model) =>
  client.chat({ model, messages: asked, maxTokens, responseFormat: { type: 'json_object', jsonSchema: said.schema.schema } }),
)
const vectors = { id: 'e1', embeddings: { float: [[0.5], [0.25]] }, texts: said.texts, meta: { billed_units: { input_tokens: 4 } } }
await record('embedding', { body: vectors }, (model) =>
  client.embed({ model, texts: said.texts, inputType: 'search_document', embeddingTypes: ['float'] }),
)
const ranked = { id: 'r1', results: [{ index: 0, relevance_score: 0.9 }], meta: { billed_units: { search_units: 1 } } }
await record('rerank', { body: ranked }, (model) => client.rerank({ model, query: said.query, documents: said.texts, topN: 1 }))
