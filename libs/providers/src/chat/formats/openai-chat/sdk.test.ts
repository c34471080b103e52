import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { collect, serveAnswers } from './__fixtures__/sdk-server.ts'
import { openAiChat } from './index.ts'

let served: Awaited<ReturnType<typeof serveAnswers>>
beforeAll(async () => {
  served = await serveAnswers(openAiChat)
})
afterAll(() => served.close())

const asked = { model: 'asked', messages: [{ role: 'user', content: 'Hi' }] } satisfies OpenAI.ChatCompletionCreateParams
const tool_calls = [
  { id: 'call_a', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
  { id: 'call_b', type: 'function', function: { name: 'g', arguments: '{}' } },
]

describe('OpenAI’s own client', () => {
  it('reads a whole answer', async () => {
    const answer = await served.client.chat.completions.create(asked)

    expect(answer.choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { content: 'Two calls 👋', tool_calls } })
    expect(answer.usage).toMatchObject({ prompt_tokens: 7, prompt_tokens_details: { cached_tokens: 2 } })
  })

  it('merges a stream to the same answer', async () => {
    const stream = served.client.chat.completions.stream({ ...asked, stream_options: { include_usage: true } })

    const answer = await stream.finalChatCompletion()

    expect(answer.choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { role: 'assistant', content: 'Two calls 👋' } })
    expect(answer.choices[0]?.message.tool_calls).toMatchObject(tool_calls)
    expect(answer.usage).toMatchObject({ total_tokens: 14, completion_tokens_details: { reasoning_tokens: 3 } })
  })

  it('raises an error inside a stream', async () => {
    const stream = await served.client.chat.completions.create({ ...asked, model: 'broken', stream: true })

    await expect(collect(stream)).rejects.toMatchObject({
      message: expect.stringContaining('too many requests'),
      code: 'rate_limited',
    })
  })

  it('raises a refusal with its status', async () => {
    await expect(served.client.chat.completions.create({ ...asked, model: 'refused' })).rejects.toThrow(OpenAI.RateLimitError)
  })
})
