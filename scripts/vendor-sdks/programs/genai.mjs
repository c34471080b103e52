import { GoogleGenAI } from '@google/genai'
import { record, said } from './record.mjs'

const client = new GoogleGenAI({
  vertexai: true,
  project: 'the-project',
  location: 'us-central1',
  googleAuthOptions: { authClient: signedIn() },
})
const { models } = client
const { tool, call, schema, thinking } = said
const usageMetadata = { promptTokenCount: 9, candidatesTokenCount: 3, totalTokenCount: 12 }
const answer = (parts) => ({ candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }], usageMetadata })
const text = { body: answer([{ text: 'Sunny.' }]) }
const stream = { type: 'text/event-stream', body: `data: ${JSON.stringify(text.body)}\n\n` }
const contents = [{ role: 'user', parts: [{ text: said.prompt }] }]
const config = { systemInstruction: said.system, maxOutputTokens: said.max_tokens }
const tools = [{ functionDeclarations: [{ name: tool.name, description: tool.description, parametersJsonSchema: tool.parameters }] }]

await record('plain', text, (model) =>
  models.generateContent({
    model,
    contents,
    config: { ...config, temperature: said.temperature, topP: said.top_p, stopSequences: said.stop },
  }),
)
await record('stream', stream, (model) => models.generateContentStream({ model, contents, config }))
await record('tools', { body: answer([{ functionCall: { id: call.id, name: tool.name, args: call.arguments } }]) }, (model) =>
  models.generateContent({ model, contents, config: { ...config, tools, toolConfig: { functionCallingConfig: { mode: 'ANY' } } } }),
)
await record('tool result', text, (model) =>
  models.generateContent({
    model,
    contents: [
      ...contents,
      { role: 'model', parts: [{ functionCall: { id: call.id, name: tool.name, args: call.arguments } }] },
      { role: 'user', parts: [{ functionResponse: { id: call.id, name: tool.name, response: { output: call.result } } }] },
    ],
    config: { ...config, tools },
  }),
)
await record('thinking', text, (model) =>
  models.generateContent({
    model,
    contents,
    config: { ...config, thinkingConfig: { thinkingBudget: thinking.budget, includeThoughts: true } },
  }),
)
await record('picture', text, (model) =>
  models.generateContent({
    model,
    contents: [{ role: 'user', parts: [{ text: said.prompt }, { inlineData: { mimeType: 'image/png', data: said.picture } }] }],
    config: { maxOutputTokens: said.max_tokens },
  }),
)
await record('schema', text, (model) =>
  models.generateContent({
    model,
    contents,
    config: { ...config, responseMimeType: 'application/json', responseJsonSchema: schema.schema },
  }),
)
await record(
  'embedding',
  { body: { predictions: said.texts.map(() => ({ embeddings: { values: [0.5], statistics: { token_count: 2 } } })) } },
  (model) => models.embedContent({ model, contents: said.texts }),
)

/** Credentials as Google's own library gives them. */
function signedIn() {
  return {
    getRequestHeaders: async () => new Headers({ authorization: 'Bearer the-key' }),
    request: () => Promise.reject(new Error('not used')),
  }
}
