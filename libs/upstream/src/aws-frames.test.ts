import { readFileSync } from 'node:fs'
import { EventStreamCodec } from '@smithy/core/event-streams'
import { countInto } from '@tollgate/domain/pricing/count'
import { anthropicMessages } from '@tollgate/providers/chat/formats/anthropic-messages/index'
import { createTranslation } from '@tollgate/providers/chat/translate'
import { openAiChat } from '@tollgate/providers/chat/formats/openai-chat/index'
import { bedrockConverse } from '@tollgate/providers/vendor-formats/bedrock-converse/index'
import { SseDecoder } from '@tollgate/providers/sse/decoder'
import { describe, expect, it } from 'vitest'
import { unwrapAwsFrames } from './aws-frames.ts'

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes).toString('utf8'),
  (text) => Buffer.from(text, 'utf8'),
)
const plain = readFileSync(new URL('../../providers/src/chat/formats/anthropic-messages/__fixtures__/text.sse', import.meta.url))
/** AWS frames events only, so the fixture's comment lines are left out. */
const events = new SseDecoder().push(plain).filter(({ data }) => data !== undefined)
const frames = Buffer.concat(
  events.map(({ data = '' }) =>
    frameOf({ ':message-type': 'event', ':event-type': 'chunk' }, { bytes: Buffer.from(data).toString('base64') }),
  ),
)

function frameOf(headers: Record<string, string>, body: object): Uint8Array {
  const typed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { type: 'string' as const, value }]))
  return codec.encode({ headers: typed, body: Buffer.from(JSON.stringify(body)) })
}

function replay(chunks: readonly Buffer[]) {
  const stream = unwrapAwsFrames(anthropicMessages.passThrough.createUsageReader({ wants_usage: true, count: countInto }))
  const passed = Buffer.concat(chunks.map((chunk) => stream.push(chunk))).toString()
  return { passed, stream, ...stream.close() }
}

describe('a stream of AWS event frames', () => {
  const whole = replay([frames])

  it('reads like the vendor’s own stream', () => {
    const own = anthropicMessages.passThrough.createUsageReader({ wants_usage: true, count: countInto })
    const passed = new SseDecoder().push(own.push(plain)).flatMap(({ data }) => data ?? [])

    expect(new SseDecoder().push(Buffer.from(whole.passed)).map(({ data }) => data)).toEqual(passed)
    expect(whole.stream.facts.usage).toEqual(own.facts.usage)
    expect(whole.ending).toBe('done')
  })

  it('may be split at any byte', () => {
    for (let at = 1; at < frames.length; at += 1) {
      const cut = replay([frames.subarray(0, at), frames.subarray(at)])
      expect(cut.passed).toBe(whole.passed)
      expect(cut.ending).toBe('done')
    }
  })

  it('reports an exception as an error', () => {
    const exception = frameOf({ ':message-type': 'exception', ':exception-type': 'throttlingException' }, { message: 'Too many requests' })

    expect(replay([Buffer.from(exception)]).stream.facts.failure).toMatchObject({ kind: 'limited', message: 'Too many requests' })
  })

  it('reports an error of the service by its code and text', () => {
    const error = frameOf({ ':message-type': 'error', ':error-code': 'ThrottlingException', ':error-message': 'Slow down' }, {})

    expect(replay([Buffer.from(error)]).stream.facts.failure).toMatchObject({ kind: 'limited', message: 'Slow down' })
  })

  it('fails if a frame is corrupt', () => {
    const broken = Buffer.from(frames)
    broken[20] = (broken[20] ?? 0) ^ 0xff

    expect(replay([broken]).ending).toBe('failed')
    expect(replay([Buffer.from([0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4])]).ending).toBe('failed')
  })

  it('passes the events of Converse under their names', () => {
    const encoder = openAiChat.client.createEncoder({ id: 'r', created: 1, model: 'm', include_usage: false, prompt_tokens: 1, body: {} })
    const decoder = bedrockConverse.vendor.createDecoder()
    const stream = unwrapAwsFrames(createTranslation({ decoder, encoder, count: countInto, transform: undefined }))
    const push = (type: 'event' | 'exception', name: string, body: object) =>
      stream.push(Buffer.from(frameOf({ ':message-type': type, [`:${type}-type`]: name }, body))).toString()

    push('event', 'messageStart', { role: 'assistant', p: 'abc' })
    expect(push('event', 'contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Hi' }, p: 'abcd' })).toContain('"content":"Hi"')
    push('exception', 'throttlingException', { message: 'Too many tokens' })
    expect(stream.facts.failure).toMatchObject({ kind: 'limited', message: 'Too many tokens' })
  })
})
