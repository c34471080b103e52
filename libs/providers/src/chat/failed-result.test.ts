import { describe, expect, it } from 'vitest'
import type { ChatCodec } from './codec.ts'
import { anthropicMessages } from './formats/anthropic-messages/index.ts'
import { openAiChat } from './formats/openai-chat/index.ts'
import { openAiResponses } from './formats/openai-responses/index.ts'

const context = {
  upstream_model: 'm',
  is_stream: false,
  supports_stream_options: false,
  default_max_tokens: 100,
  safety_settings: [],
  makes_images: false,
}

function sent(codec: ChatCodec, result: object): string {
  const body = {
    model: 'm',
    max_tokens: 5,
    messages: [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'run', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', ...result }] },
    ],
  }
  const decoded = anthropicMessages.client.decodeRequest(body, {})
  if (decoded.kind !== 'ok') throw new Error('the body is valid')
  return JSON.stringify(codec.vendor.encodeChat(anthropicMessages.client.decodeChat(decoded.request), context).body)
}

describe.each([
  ['chat', openAiChat],
  ['Responses', openAiResponses],
])('a failed tool result for a %s vendor', (_name, codec) => {
  it('says in its text that it failed', () => {
    expect(sent(codec, { content: 'no such file', is_error: true })).toContain('"Error: no such file"')
  })

  it('is left as it is if its text says so already', () => {
    const body = sent(codec, { content: 'Error: no such file', is_error: true })

    expect(body).toContain('"Error: no such file"')
    expect(body).not.toContain('Error: Error')
  })

  it('says so without any text of its own, too', () => {
    expect(sent(codec, { content: [], is_error: true })).toContain('Error')
  })

  it('is not marked without the flag', () => {
    expect(sent(codec, { content: 'no such file' })).toContain('"no such file"')
  })
})
