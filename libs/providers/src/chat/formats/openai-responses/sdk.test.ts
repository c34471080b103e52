import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { collect, serveAnswers } from '../openai-chat/__fixtures__/sdk-server.ts'
import { openAiResponses } from './index.ts'

let served: Awaited<ReturnType<typeof serveAnswers>>
beforeAll(async () => {
  served = await serveAnswers(openAiResponses)
})
afterAll(() => served.close())

const asked = { model: 'asked', input: 'Hi' }
const OUTPUT = [
  { type: 'reasoning', summary: [{ text: 'Let me see.' }, { text: 'Again.' }] },
  {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'Two calls 👋', annotations: [{ url: 'https://x.example/a' }] }],
  },
  { type: 'function_call', call_id: 'call_a', name: 'f', arguments: '{"a":1}' },
  { type: 'function_call', call_id: 'call_b', name: 'g', arguments: '{}' },
]

describe('OpenAI’s own client', () => {
  it('reads a whole response', async () => {
    const response = await served.client.responses.create(asked)

    expect(response).toMatchObject({ status: 'completed', output_text: 'Two calls 👋', output: OUTPUT })
    expect(response.usage).toMatchObject({ input_tokens: 7, input_tokens_details: { cached_tokens: 2 }, total_tokens: 14 })
  })

  it('merges a stream to the same answer', async () => {
    const stream = served.client.responses.stream(asked)
    const deltas: string[] = []
    stream.on('response.output_text.delta', ({ snapshot }) => deltas.push(snapshot))

    const response = await stream.finalResponse()

    expect(deltas).toEqual(['Two ', 'Two calls 👋'])
    expect(response).toMatchObject({ status: 'completed', output: OUTPUT, usage: { output_tokens_details: { reasoning_tokens: 3 } } })
  })

  it('raises an error inside a stream', async () => {
    const stream = await served.client.responses.create({ ...asked, model: 'broken', stream: true })

    await expect(collect(stream)).rejects.toMatchObject({ message: expect.stringContaining('too many requests'), code: 'rate_limited' })
  })

  it('raises a refusal with its status', async () => {
    await expect(served.client.responses.create({ ...asked, model: 'refused' })).rejects.toThrow(OpenAI.RateLimitError)
  })
})
