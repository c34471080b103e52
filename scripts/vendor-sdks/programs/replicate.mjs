import Replicate from 'replicate'
import { record, said } from './record.mjs'

const client = new Replicate({ auth: 'the-key' })
const urls = { get: 'https://api.replicate.com/v1/predictions/p1', cancel: 'https://api.replicate.com/v1/predictions/p1/cancel' }
const done = { id: 'p1', model: 'm', version: 'v', input: {}, output: ['Sunny.'], status: 'succeeded', metrics: { predict_time: 1 }, urls }
const begun = { ...done, status: 'starting', output: null, urls: { ...urls, stream: 'https://stream.replicate.com/v1/streams/s1' } }
const streamed = {
  type: 'text/event-stream',
  body: 'event: output\nid: 1\ndata: Sunny.\n\nevent: done\nid: 2\ndata: {}\n\n',
}
const input = { system_prompt: said.system, prompt: said.prompt, max_tokens: said.max_tokens }

await record('plain', { body: done }, (model) =>
  client.run(model, { input: { ...input, temperature: said.temperature, top_p: said.top_p, stop_sequences: said.stop.join(',') } }),
)
await record('stream', [{ body: begun }, streamed], (model) => client.stream(model, { input }))
