import { describe, expect, it } from 'vitest'
import { countInto } from '@tollgate/domain/pricing/count'
import type { ChatFormat, VendorChatFormat } from '../chat/request.ts'
import { chatCodecs } from '../chat/formats/index.ts'
import { vendorCodecs } from '../vendor-formats/index.ts'
import { API_FORMATS, type ApiFormat } from '../calls/api-format.ts'
import { chatOperation } from '../operations/chat.ts'
import type { Operation } from '../calls/operation.ts'
import { CHAT_FORMATS, UPSTREAM_MODEL } from './cases.ts'
import { answersOf, oneEvent, STREAMS } from './answer-shapes.testing.ts'
import { createTranslator, streamThrough } from './cell.testing.ts'
import { countSteps } from './count-steps.testing.ts'
import { OTHER_SHAPES } from './other-shapes.testing.ts'
import { fanOut, SHAPES } from './shapes.testing.ts'

/** Work on what a client or vendor sends grows with its length and no faster. */
const VENDOR_FORMATS = Object.keys(vendorCodecs) as (ChatFormat | VendorChatFormat)[] // the keys of the table
const LENGTH = 300
/** Twice the length is at most so much more work; a square would be four times. */
const MAX_GROWTH = 2.15

/** Long enough for the readers of large events. */
const PIECES = 150

const UPSTREAM: Readonly<Record<string, string>> = UPSTREAM_MODEL
/** A model that takes no references in schemas. */
const OLD_GEMINI = 'gemini-1.5-pro'

type Sent = { readonly client: ChatFormat; readonly vendor: ChatFormat | VendorChatFormat; readonly raw: Buffer; readonly model?: string }

/** The size of what the vendor gets; 0: the request is refused. */
function convert({ client, vendor, raw, model }: Sent): number {
  return encode(chatOperation(chatCodecs[client]), vendor, { raw, upstream_model: model ?? UPSTREAM[vendor] ?? 'the-model' })
}

type Body = { readonly raw: Buffer; readonly upstream_model: string }

function encode(operation: Operation, format: ApiFormat, { raw, upstream_model }: Body): number {
  const decoded = operation.readRequest(JSON.parse(raw.toString()), { model: 'the-model', is_stream: false })
  if (decoded.kind === 'invalid') return 0
  const translator = operation.createTranslator(format, {
    request: decoded.request,
    raw,
    content_type: 'application/json',
    request_id: 'request-1',
    created: 1_700_000_000,
    prompt_tokens: 11,
    count: countInto,
    settings: { default_max_tokens: () => 8192, safety_settings: [], makes_images: () => false },
  })
  return translator.encode({ upstream_model, supports_stream_options: true, param_override: {}, patch: undefined, media: new Map() }).body
    .length
}

function growthOf(run: (length: number) => void): number {
  run(LENGTH)
  return countSteps(() => run(2 * LENGTH)) / countSteps(() => run(LENGTH))
}

describe.each(CHAT_FORMATS)('a request of %s', (client) => {
  it.each(Object.entries(SHAPES[client]))('with %s is work in proportion, for every vendor', (_name, shape) => {
    const bodies = new Map([LENGTH, 2 * LENGTH].map((length) => [length, Buffer.from(JSON.stringify(shape(length)))]))
    const raw = (length: number): Buffer => bodies.get(length) ?? expect.fail('no such length')
    const growths = VENDOR_FORMATS.map(
      (vendor) => [vendor, growthOf((length) => void convert({ client, vendor, raw: raw(length) }))] as const,
    )
    const old = growthOf((length) => void convert({ client, vendor: 'gemini', model: OLD_GEMINI, raw: raw(length) }))

    expect([...growths, ['gemini before 2.5', old] as const].filter(([, growth]) => growth > MAX_GROWTH)).toEqual([])
  })
})

describe('a request of another operation', () => {
  it.each(Object.entries(OTHER_SHAPES))('with %s is work in proportion, for every vendor', (_name, { operation, shape }) => {
    const bodies = new Map([LENGTH, 2 * LENGTH].map((length) => [length, Buffer.from(JSON.stringify(shape(length)))]))
    const raw = (length: number): Buffer => bodies.get(length) ?? expect.fail('no such length')
    const decoded = operation.readRequest(JSON.parse(raw(LENGTH).toString()), { model: 'the-model', is_stream: false })
    if (decoded.kind === 'invalid') return expect.fail(decoded.detail)
    const formats = API_FORMATS.filter((format) => operation.formatFor([format], decoded.request) === format)
    const growths = formats.map((format) => {
      const run = (length: number): void =>
        void encode(operation, format, { raw: raw(length), upstream_model: UPSTREAM[format] ?? 'the-model' })
      return [format, growthOf(run)] as const
    })

    expect(formats.length).toBeGreaterThan(0)
    expect(growths.filter(([, growth]) => growth > MAX_GROWTH)).toEqual([])
  })
})

describe('references that fan out', () => {
  const bodies: Readonly<Record<ChatFormat, (schema: object) => object>> = {
    'openai-chat': (parameters) => ({
      model: 'm',
      messages: [{ role: 'user', content: 'x' }],
      tools: [{ type: 'function', function: { name: 'look', parameters } }],
    }),
    'openai-responses': (parameters) => ({
      model: 'm',
      input: 'x',
      tools: [{ type: 'function', name: 'look', parameters, strict: false }],
    }),
    'anthropic-messages': (input_schema) => ({
      model: 'm',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'x' }],
      tools: [{ name: 'look', input_schema }],
    }),
    gemini: (parameters) => ({
      contents: [{ role: 'user', parts: [{ text: 'x' }] }],
      tools: [{ functionDeclarations: [{ name: 'look', parameters }] }],
    }),
  }

  it.each(CHAT_FORMATS)('from %s are refused or sent within bounds, whatever they would expand to', (client) => {
    // 10^12 nodes.
    const raw = Buffer.from(JSON.stringify(bodies[client](fanOut(10, 12))))
    const outcomes = [...VENDOR_FORMATS.map((vendor) => [vendor, undefined] as const), ['gemini', OLD_GEMINI] as const].map(
      ([vendor, model]) => {
        let size = 0
        const steps = countSteps(() => {
          try {
            size = convert({ client, vendor, raw, ...(model === undefined ? {} : { model }) })
          } catch {
            // Refused.
          }
        })
        return { vendor, steps, size }
      },
    )

    expect(outcomes.filter(({ steps, size }) => steps > 2_000_000 || size > 4_000_000)).toEqual([])
  })
})

describe.each(CHAT_FORMATS)('an answer of %s', (vendor) => {
  it('in pieces of one byte is work in proportion, for every client', () => {
    const event = (length: number): Buffer[] => {
      const whole = oneEvent(vendor, 'x'.repeat(length))
      return Array.from(whole, (_, at) => whole.subarray(at, at + 1))
    }
    const streams = new Map([LENGTH, 2 * LENGTH].map((length) => [length, event(PIECES * length)]))

    expect(growthsOf(vendor, streams).filter(([, growth]) => growth > MAX_GROWTH)).toEqual([])
  })

  it.each(Object.keys(STREAMS[vendor]))('with %s is work in proportion, for every client', (name) => {
    const streams = answersOf(vendor, name, [LENGTH, 2 * LENGTH])

    expect(growthsOf(vendor, streams).filter(([, growth]) => growth > MAX_GROWTH)).toEqual([])
  })
})

/** How the work on a stream grows, by client. */
function growthsOf(vendor: ChatFormat, streams: ReadonlyMap<number, readonly Buffer[]>): (readonly [ChatFormat, number])[] {
  return CHAT_FORMATS.map((client) => {
    const request = Buffer.from(JSON.stringify(SHAPES[client]['many turns']?.(1)))
    const run = (length: number): void => {
      const cell = { client, vendor }
      streamThrough(cell, createTranslator(cell, request, true), streams.get(length) ?? expect.fail('no such length'))
    }
    return [client, growthOf(run)]
  })
}
