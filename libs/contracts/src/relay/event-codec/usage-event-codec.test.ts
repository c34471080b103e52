import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryOf } from '../../../test/arbitrary-of.ts'
import { ZERO_USAGE } from '../../pricing/quote.ts'
import { UsageEventBody, type Explanation, type StepLine, type StepTime } from '../usage-event.ts'
import {
  encodeAccount,
  encodeClient,
  encodeEventBody,
  encodeOpening,
  encodePendingText,
  encodeQuote,
  toEventBody,
  toPendingEvent,
  type EventBodyFields,
} from './usage-event-codec.ts'

const golden = (name: string) => join(import.meta.dirname, '__golden__', name)
const read = (text: string): UsageEventBody => UsageEventBody.parse(toEventBody(JSON.parse(text)))

const lineOf = (steps: readonly StepTime[]): StepLine => steps.flatMap(({ step, ended_ms }) => [step, ended_ms])
/** Each step starts when the previous one ends, as relays write them. */
const contiguous = (steps: readonly StepTime[]): StepTime[] =>
  steps.map((step, at) => ({ ...step, started_ms: at === 0 ? 0 : (steps[at - 1]?.ended_ms ?? 0) }))

function fieldsOf(body: UsageEventBody): EventBodyFields {
  const { steps, is_cut, ...explanation } = body.explanation
  return { ...body, explanation: { ...explanation, steps: lineOf(steps), is_cut: is_cut ? true : undefined } }
}

const aBody = arbitraryOf(UsageEventBody).map((value): UsageEventBody => {
  const body = UsageEventBody.parse(value)
  return { ...body, explanation: { ...body.explanation, steps: contiguous(body.explanation.steps) } }
})

const channel = { channel_id: 3, channel_name: 'OpenAI main', channel_type: 1 }
const RAW_USAGE =
  '{"prompt_tokens":812,"completion_tokens":164,"total_tokens":976,"prompt_tokens_details":{"cached_tokens":0,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":0,"audio_tokens":0,"accepted_prediction_tokens":0,"rejected_prediction_tokens":0}}'
/** A request of one channel and one attempt. */
const request: UsageEventBody = {
  state: 'settled',
  by: 'relay',
  user_id: 1234,
  token_id: 5678,
  username: 'user-1234',
  token_name: 'production',
  group: 'default',
  model_name: 'gpt-4o-mini',
  upstream_model: 'gpt-4o-mini',
  ...channel,
  is_stream: true,
  started_at: 1_795_910_400_123,
  duration_ms: 1500.4,
  first_token_ms: 212.7,
  quote: {
    mode: 'ratio',
    model: 'gpt-4o-mini',
    group: 'default',
    group_ratio: 1,
    quota_per_unit: 500_000,
    price_version: 1_795_910_000,
    model_ratio: 0.075,
    completion_ratio: 4,
    cache_ratio: 0.5,
    cache_creation_ratio: 1,
    cache_creation_1h_ratio: 1.6,
    image_ratio: 1,
    audio_ratio: 20,
    audio_completion_ratio: 2,
    is_unpriced: false,
  },
  usage: { ...ZERO_USAGE, text_in: 812, text_out: 164, prompt_tokens: 812, completion_tokens: 164, source: 'upstream' },
  token_charge: 110,
  client_status: 200,
  ended_by: 'complete',
  explanation: {
    steps: contiguous(
      (['identify', 'read', 'admit', 'quote', 'reserve', 'dispatch', 'deliver', 'settle'] as const).map((step, at) => ({
        step,
        started_ms: 0,
        ended_ms: [0.3, 0.4, 0.5, 0.6, 1.4, 213.1, 1499.8, 1500.3][at] ?? 0,
      })),
    ),
    attempts: [
      {
        ...channel,
        upstream_model: 'gpt-4o-mini',
        started_ms: 1.5,
        first_byte_ms: 212.7,
        status: 200,
        ended_ms: 1499.8,
        outcome: 'answered',
      },
    ],
    candidates: [{ channel_id: 3, channel_name: 'OpenAI main', priority: 0, weight: 1, result: 'chosen' }],
    candidates_cut: 0,
    choice: { seed: 3_912_447_120, draws: [{ left: 3, states: 'a' }] },
    wallet_held: 2100,
    token_held: 2100,
    spendable_after_reserve: 999_999_998_461,
    warnings: [],
    raw_usage: RAW_USAGE,
    client: { ip: '203.0.113.7', user_agent: 'OpenAI/Python 1.109.1', method: 'POST', path: '/v1/chat/completions' },
    is_cut: false,
  },
}

describe('the text of a usage event', () => {
  it('is read as it was, whatever fields it has', () => {
    fc.assert(
      fc.property(aBody, (body) => {
        expect(read(encodeEventBody(fieldsOf(body)))).toEqual(body)
      }),
      { numRuns: 100 },
    )
  })

  it('has at most 700 bytes for a request of one channel and one attempt', () => {
    expect(Buffer.byteLength(encodeEventBody(fieldsOf(request)))).toBeLessThanOrEqual(700)
  })

  it('repeats the vendor’s usage letter by letter', () => {
    const numbers = fc.oneof(fc.constantFrom('0', '007', '1.5', '-1', '1e3', '12345678901234567890', '"x"', 'null'), fc.nat().map(String))
    const texts = fc
      .tuple(numbers, numbers, numbers)
      .map(([a, b, c]) => `{"prompt_tokens":${a},"completion_tokens":${b},"total_tokens":${c}}`)

    fc.assert(
      fc.property(fc.oneof(texts, fc.string()), (raw_usage) => {
        const explanation: Explanation = { ...request.explanation, raw_usage }
        expect(read(encodeEventBody(fieldsOf({ ...request, explanation }))).explanation.raw_usage).toBe(raw_usage)
      }),
    )
  })

  it('of any other shape is refused or read, and never throws', () => {
    const line = JSON.parse(encodeEventBody(fieldsOf(request))) as unknown[]
    const parts = fc.tuple(fc.nat(line.length), fc.jsonValue()).map(([at, value]) => line.with(Math.min(at, line.length - 1), value))
    const nested = fc.tuple(fc.integer({ min: 1, max: line.length - 1 }), fc.nat(20), fc.jsonValue()).map(([at, inner, value]) =>
      line.with(
        at,
        (line[at] as unknown[]).map((old, place) => (place === inner ? value : old)),
      ),
    )

    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.array(fc.jsonValue()).map((rest) => [2, ...rest]),
          parts,
          nested,
        ),
        (json) => {
          expect(UsageEventBody.safeParse(toEventBody(json))).toHaveProperty('success')
          expect(() => toPendingEvent(json)).not.toThrow()
        },
      ),
      { numRuns: 500 },
    )
  })

  it('of a later version is not read', () => {
    const [, ...rest] = JSON.parse(encodeEventBody(fieldsOf(request))) as unknown[]

    expect([toEventBody([3, ...rest]), toPendingEvent([3, ...rest])]).toEqual([undefined, undefined])
  })

  it('of a later release is read without the optional fields that are not known here', () => {
    const line = JSON.parse(encodeEventBody(fieldsOf(request))) as unknown[]
    const later = line.map((part) => (Array.isArray(part) ? [...(part as unknown[]), 99, { carbon: 3 }] : part))

    expect(read(JSON.stringify(later))).toEqual(request)
  })

  it('names the model that a request moved to, and the channels that it passed over', () => {
    const second = { channel_id: 4, channel_name: 'Azure', channel_type: 3 }
    const body: UsageEventBody = {
      ...request,
      ...second,
      model_name: 'claude-4',
      upstream_model: 'claude-4-2026',
      group: 'vip',
      explanation: {
        ...request.explanation,
        attempts: [
          {
            ...channel,
            upstream_model: 'gpt-4o-mini',
            started_ms: 1,
            ended_ms: 2,
            outcome: 'refused',
            status: 500,
            retry: 'other-channel',
          },
          { ...second, upstream_model: 'claude-4-2026', model: 'claude-4', started_ms: 2, ended_ms: 3, outcome: 'answered', status: 200 },
        ],
      },
    }

    expect(read(encodeEventBody(fieldsOf(body)))).toEqual(body)
  })
})

describe('events that Redis may still hold', () => {
  it.each(['1-request', '2-request', '2-everything'])('are read: %s', (name) => {
    expect(read(readFileSync(golden(`${name}.txt`), 'utf8'))).toEqual(JSON.parse(readFileSync(golden(`${name}.json`), 'utf8')))
  })

  it('are written as they were: a change of the text needs a version', () => {
    for (const name of ['2-request.txt', '2-everything.txt']) {
      const text = readFileSync(golden(name), 'utf8')
      expect(`${encodeEventBody(fieldsOf(read(text)))}`).toBe(text.trimEnd())
    }
  })
})

describe('the pending event', () => {
  const { quote, explanation } = request
  const opening = {
    account: encodeAccount(request),
    quote: encodeQuote(quote),
    opening: encodeOpening({ ...request, is_claude: true }, quote),
    client: encodeClient(explanation.client),
    model: quote.model,
  }
  const known = {
    user_id: 1234,
    token_id: 5678,
    username: 'user-1234',
    token_name: 'production',
    group: 'default',
    model_name: 'gpt-4o-mini',
    started_at: request.started_at,
    is_claude: true,
    quote,
    is_stream: true,
    explanation: { client: explanation.client },
  }

  it('is read with account, quote, client and what is known before the call', () => {
    const text = encodePendingText(opening, { is_stream: true, reasoning_effort: 'high' })

    expect(toPendingEvent(JSON.parse(text))).toEqual({ ...known, reasoning_effort: 'high' })
  })

  it('of an earlier version is read', () => {
    expect(toPendingEvent(JSON.parse(JSON.stringify(known)))).toEqual(known)
  })
})
