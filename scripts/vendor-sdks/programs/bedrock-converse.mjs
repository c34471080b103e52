import { BedrockRuntimeClient, ConverseCommand, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { eventFrames } from './aws-frames.mjs'
import { record, recorder, said } from './record.mjs'

/** Signed for AWS, sent to the recorder. */
class Rerouted extends NodeHttpHandler {
  handle(signed, options) {
    const { port } = new URL(recorder)
    signed.headers['x-recorded-origin'] = `https://${signed.hostname}`
    Object.assign(signed, { protocol: 'http:', hostname: '127.0.0.1', port: Number(port) })
    return super.handle(signed, options)
  }
}
const client = new BedrockRuntimeClient({
  region: 'us-east-1',
  credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' },
  maxAttempts: 1,
  requestHandler: new Rerouted(),
})
const { tool, call } = said
const usage = { inputTokens: 9, outputTokens: 3, totalTokens: 12 }
const answer = (content, stopReason) => ({
  body: { output: { message: { role: 'assistant', content } }, stopReason, usage, metrics: { latencyMs: 1 } },
})
const text = answer([{ text: 'Sunny.' }], 'end_turn')
const used = { toolUse: { toolUseId: call.id, name: tool.name, input: call.arguments } }
const stream = eventFrames([
  ['messageStart', { role: 'assistant' }],
  ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Sunny.' } }],
  ['contentBlockStop', { contentBlockIndex: 0 }],
  ['messageStop', { stopReason: 'end_turn' }],
  ['metadata', { usage, metrics: { latencyMs: 1 } }],
])
const system = [{ text: said.system }]
const messages = [{ role: 'user', content: [{ text: said.prompt }] }]
const inferenceConfig = { maxTokens: said.max_tokens }
const tools = [{ toolSpec: { name: tool.name, description: tool.description, inputSchema: { json: tool.parameters } } }]
const ask = (input) => client.send(new ConverseCommand(input))

await record('plain', text, (modelId) =>
  ask({
    modelId,
    system,
    messages,
    inferenceConfig: { ...inferenceConfig, temperature: said.temperature, topP: said.top_p, stopSequences: said.stop },
  }),
)
await record('stream', stream, async (modelId) => {
  const { stream: events } = await client.send(new ConverseStreamCommand({ modelId, system, messages, inferenceConfig }))
  return events
})
await record('tools', answer([used], 'tool_use'), (modelId) =>
  ask({ modelId, system, messages, inferenceConfig, toolConfig: { tools, toolChoice: { any: {} } } }),
)
await record('tool result', text, (modelId) =>
  ask({
    modelId,
    system,
    messages: [
      ...messages,
      { role: 'assistant', content: [used] },
      { role: 'user', content: [{ toolResult: { toolUseId: call.id, content: [{ text: call.result }] } }] },
    ],
    inferenceConfig,
    toolConfig: { tools },
  }),
)
await record('thinking', text, (modelId) =>
  ask({
    modelId,
    system,
    messages,
    inferenceConfig,
    additionalModelRequestFields: { reasoning_effort: said.thinking.effort },
  }),
)
await record('picture', text, (modelId) =>
  ask({
    modelId,
    messages: [
      {
        role: 'user',
        content: [{ text: said.prompt }, { image: { format: 'png', source: { bytes: Buffer.from(said.picture, 'base64') } } }],
      },
    ],
    inferenceConfig,
  }),
)
await record('schema', text, (modelId) =>
  ask({
    modelId,
    system,
    messages,
    inferenceConfig,
    outputConfig: {
      textFormat: {
        type: 'json_schema',
        structure: { jsonSchema: { name: said.schema.name, schema: JSON.stringify(said.schema.schema) } },
      },
    },
  }),
)
