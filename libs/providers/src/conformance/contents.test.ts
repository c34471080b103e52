import { describe, expect, it } from 'vitest'
import type { ChatFormat, MediaSource } from '../chat/request.ts'
import { chatCodecs } from '../chat/formats/index.ts'
import { chatOperation } from '../operations/chat.ts'
import { UPSTREAM_MODEL, CHAT_FORMATS } from './cases.ts'
import { CONTENT_NAMES, MARK, sampleOf, type ContentName } from './contents.ts'

/** Every content of every client format for every vendor format: the vendor receives it, or the request is refused with its field. */
declare module 'vitest' {
  interface TaskMeta {
    content?: { client: ChatFormat; vendor: ChatFormat; content: ContentName; result: 'carried' | 'refused' }
  }
}

const pairs = CHAT_FORMATS.flatMap((client) => CHAT_FORMATS.map((vendor) => ({ client, vendor })))

describe.each(pairs)('$client to $vendor', ({ client, vendor }) => {
  it.for(CONTENT_NAMES.filter((name) => sampleOf(name, client) !== undefined))('%s', (name, { task }) => {
    const sample = sampleOf(name, client)
    if (sample === undefined) throw new Error(`${client} has no ${name}`)
    const raw = Buffer.from(JSON.stringify(sample.body))
    const operation = chatOperation(chatCodecs[client])
    const decoded = operation.readRequest(JSON.parse(raw.toString()), { model: 'm' })
    if (decoded.kind === 'invalid') throw new Error(decoded.detail)
    const { request } = decoded
    const isServed = operation.formatFor([vendor], request) === vendor
    task.meta.content = { client, vendor, content: name, result: isServed ? 'carried' : 'refused' }
    if (!isServed) {
      expect(operation.findObstacle?.(request)).toMatchObject({ field: sample.field, detail: expect.stringContaining(sample.field) })
      return
    }
    const translator = operation.createTranslator(vendor, {
      request,
      raw,
      content_type: 'application/json',
      request_id: 'request-1',
      created: 1,
      prompt_tokens: 1,
      count: () => undefined,
      settings: { default_max_tokens: () => 100, safety_settings: [], makes_images: () => false },
    })
    const fetched: MediaSource = { kind: 'base64', media_type: 'image/png', data: MARK }
    const { body } = translator.encode({
      upstream_model: UPSTREAM_MODEL[vendor],
      supports_stream_options: true,
      param_override: {},
      patch: undefined,
      media: new Map(translator.media().map((url) => [url, fetched])),
    })

    expect(body.toString()).toContain(MARK)
  })

  it('refuses an answer of audio that the vendor cannot give', () => {
    const asked = {
      'openai-chat': { model: 'm', messages: [{ role: 'user', content: 'x' }], modalities: ['text', 'audio'], audio: {} },
      gemini: { contents: [{ parts: [{ text: 'x' }] }], generationConfig: { responseModalities: ['AUDIO'] } },
    }
    if (client !== 'openai-chat' && client !== 'gemini') return
    const operation = chatOperation(chatCodecs[client])
    const decoded = operation.readRequest(asked[client], { model: 'm' })
    if (decoded.kind === 'invalid') throw new Error(decoded.detail)

    const isServed = operation.formatFor([vendor], decoded.request) !== undefined

    expect(isServed).toBe(vendor === client || vendor === 'openai-chat')
  })
})
