import { describe, expect, it } from 'vitest'
import { ZERO_USAGE } from '../pricing/quote.ts'
import { dayOfRequestId, StoredExplanation, UsageEvent } from './usage-event.ts'

const quote = {
  mode: 'ratio',
  model: 'm',
  group: 'default',
  model_ratio: 1,
  completion_ratio: 2,
  cache_ratio: 1,
  cache_creation_ratio: 1,
  image_ratio: 1,
  audio_ratio: 1,
  audio_completion_ratio: 1,
  group_ratio: 1,
  quota_per_unit: 500_000,
  price_version: 3,
  is_unpriced: false,
}
const usage = ZERO_USAGE
const explanation = {
  steps: ['identify', 1.5, 'read', 2, 'settle', 9],
  attempts: [],
  candidates: [],
  wallet_held: 10,
  token_held: 0,
  client: { ip: '192.0.2.1', user_agent: '', method: 'POST', path: '/v1/chat/completions' },
}
const body = {
  state: 'settled',
  by: 'relay',
  user_id: 1,
  token_id: 2,
  username: 'u',
  token_name: 't',
  group: 'default',
  model_name: 'm',
  upstream_model: 'm',
  channel_id: 3,
  channel_name: 'c',
  channel_type: 1,
  is_stream: false,
  started_at: 1_800_000_000_000,
  duration_ms: 9,
  first_token_ms: -1000,
  quote,
  usage,
  token_charge: 0,
  client_status: 200,
  ended_by: 'complete',
  explanation,
}
const event = { n: 1, request_id: '2026112808000000001', kind: 'final', charge: 19, at: 1_800_000_000_009, body }

describe('a usage event', () => {
  it('is read with its steps as times that follow each other, and without what relays leave out', () => {
    const { explanation: read, ...rest } = UsageEvent.parse(event).body

    expect(read.steps).toEqual([
      { step: 'identify', started_ms: 0, ended_ms: 1.5 },
      { step: 'read', started_ms: 1.5, ended_ms: 2 },
      { step: 'settle', started_ms: 2, ended_ms: 9 },
    ])
    expect(read).toMatchObject({ warnings: [], candidates_cut: 0, is_cut: false })
    expect(rest).toMatchObject({ quote, usage })
  })

  it('of an earlier version is read, with steps as objects', () => {
    const steps = [{ step: 'identify', started_ms: 0, ended_ms: 1 }]

    expect(UsageEvent.parse({ ...event, body: { ...body, explanation: { ...explanation, steps } } }).body.explanation.steps).toEqual(steps)
  })

  it('of a later version is read without the fields that are not known here', () => {
    const later = { ...event, body: { ...body, carbon_grams: 3 } }

    expect(UsageEvent.parse(later).body).not.toHaveProperty('carbon_grams')
  })

  it.each<[string, object]>([
    ['without a number in its shard', { n: 0 }],
    ['with a fractional charge', { charge: 1.5 }],
    ['of an unknown kind', { kind: 'preview' }],
    ['with fewer than no tokens', { body: { ...body, usage: { ...usage, text_in: -1 } } }],
    ['without a quote', { body: { ...body, quote: undefined } }],
    ['with a quote of a mode that is not known', { body: { ...body, quote: { ...quote, mode: 'barter' } } }],
    ['with steps out of order', { body: { ...body, explanation: { ...explanation, steps: [1, 'read'] } } }],
    ['with a step that does not exist', { body: { ...body, explanation: { ...explanation, steps: ['lunch', 1] } } }],
    ['with a session of 65 characters', { body: { ...body, session: 's'.repeat(65) } }],
  ])('%s is refused', (_case, change) => {
    expect(UsageEvent.safeParse({ ...event, ...change }).success).toBe(false)
  })

  it('states its day by its request id', () => {
    expect(dayOfRequestId('2026112808000000001')).toBe(20_261_128)
  })

  it('leaves an explanation in the log that rows of earlier versions lack in part', () => {
    expect(StoredExplanation.parse({ ...explanation, steps: [] })).not.toHaveProperty('ended_by')
    expect(StoredExplanation.safeParse({ ...explanation, steps: [], ended_by: 'lunch' }).success).toBe(false)
  })
})
