import { describe, expect, it } from 'vitest'
import { anthropicMessages } from './chat/formats/anthropic-messages/index.ts'
import { gemini } from './chat/formats/gemini/index.ts'
import { openAiChat } from './chat/formats/openai-chat/index.ts'
import { fieldsOf } from './form.ts'

/** Names that every object answers by itself. */
const NAMES = ['constructor', 'toString', 'hasOwnProperty', '__proto__']

describe('a name of a client that every object has', () => {
  it.each(NAMES)('is that of a function as any other: %s', (name) => {
    const tools = [{ type: 'function', function: { name, parameters: { type: 'object' } } }]
    const decoded = openAiChat.client.decodeRequest({ model: 'gemini-2.5-pro', messages: [{ role: 'user', content: 'Hi' }], tools }, {})
    if (decoded.kind === 'invalid') throw new Error(decoded.detail)
    const { body } = gemini.vendor.encodeChat(openAiChat.client.decodeChat(decoded.request), {
      upstream_model: 'gemini-2.5-pro',
      is_stream: false,
      supports_stream_options: true,
      default_max_tokens: 8192,
      safety_settings: [],
      makes_images: false,
    })

    expect(body['tools']).toMatchObject([{ functionDeclarations: [{ name }] }])
  })

  it.each(NAMES)('is that of an unknown block: %s', (type) => {
    const body = { model: 'm', max_tokens: 5, messages: [{ role: 'user', content: [{ type, source: { type } }] }] }

    expect(() => anthropicMessages.client.decodeRequest(body, {})).not.toThrow()
  })

  it.each(NAMES)('is that of a field of a form: %s', (name) => {
    const part = { kind: 'field', name, value: 'v' } as const
    const fields = fieldsOf({ parts: [part] } as unknown as Parameters<typeof fieldsOf>[0]) // the parts are all that is read

    expect(Object.entries(fields ?? {})).toEqual([[name, 'v']])
    expect(fieldsOf({ parts: [part, part] } as unknown as Parameters<typeof fieldsOf>[0])).toBeUndefined() // as above
  })
})
