import { ZERO_USAGE, type Quote, type Usage } from '@tollgate/contracts/pricing/quote'
import { encodeEventBody } from '@tollgate/contracts/relay/event-codec/usage-event-codec'
import { STEPS } from '@tollgate/contracts/relay/usage-event'
import { packEvent } from '@tollgate/db/packed-event'
import { chargeOf } from '@tollgate/domain/pricing/charge'

/** A finished, priced request as COPY text. */
export type Variant = {
  readonly model: string
  readonly group: string
  readonly charge: number
  readonly state: 'settled' | 'estimated' | 'released'
  /** Columns prompt_tokens … other. */
  readonly middle: readonly (string | number)[]
  /** Columns usage, quote, explanation. */
  readonly tail: readonly string[]
  /** Column event. */
  readonly event: string
}

/** Returns random integers below a bound, reproducible by seed (mulberry32: https://gist.github.com/tommyettinger/46a874533244883189143505d203312c). */
export function drawFrom(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

const VARIANTS = 4096

export function createVariants(draw: (below: number) => number): readonly Variant[] {
  return Array.from({ length: VARIANTS }, () => aVariant(draw, quotes[draw(quotes.length)] as Quote)) // an index below its length
}

/** A variant of the model `rare`, which no other variant has. */
export const createRareVariant = (draw: (below: number) => number): Variant => aVariant(draw, rareQuote)

function aVariant(draw: (below: number) => number, quote: Quote): Variant {
  const source = draw(50) === 0 ? 'none' : draw(10) === 0 ? 'estimated' : 'upstream'
  const usage = source === 'none' ? ZERO_USAGE : aUsage(draw, source)
  const { charge } = chargeOf(quote, usage)
  const json = [usage, quote, anExplanation(usage)].map((value) => escapeCopy(JSON.stringify(value)))
  const state = source === 'none' ? 'released' : source === 'estimated' ? 'estimated' : 'settled'
  const other = escapeCopy(JSON.stringify({ group_ratio: quote.group_ratio, frt: 240, admin_info: { use_channel: ['3'] } }))
  return {
    model: quote.model,
    group: quote.group,
    charge,
    state,
    middle: [usage.prompt_tokens, usage.completion_tokens, draw(30), 't', `seeded ${quote.mode}`, other],
    tail: json,
    event: escapeCopy(String.raw`\x${packEvent(eventOf(quote, usage, state)).toString('hex')}`),
  }
}

/** The text of a request's usage event. */
function eventOf(quote: Quote, usage: Usage, state: Variant['state']): string {
  const channel = { channel_id: 3, channel_name: 'east', channel_type: 1, upstream_model: quote.model }
  const { candidates, wallet_held, token_held, raw_usage, client } = anExplanation(usage)
  const attempt = { ...channel, started_ms: 9, first_byte_ms: 240, ended_ms: 1800, outcome: 'answered' as const, status: 200 }
  const steps = STEPS.flatMap((step, at) => [step, at * 3.25 + 2.5])
  return encodeEventBody({
    ...channel,
    state,
    by: 'relay',
    user_id: 1,
    token_id: 1,
    username: 'user-1',
    token_name: 'token-1',
    group: quote.group,
    model_name: quote.model,
    is_stream: true,
    started_at: 1_790_000_000_000,
    duration_ms: 1800,
    first_token_ms: 240,
    quote,
    usage,
    token_charge: 0,
    client_status: 200,
    ended_by: 'complete',
    explanation: { steps, attempts: [attempt], candidates, wallet_held, token_held, raw_usage, client },
  })
}

function aUsage(draw: (below: number) => number, source: Usage['source']): Usage {
  const [text_in, text_out, cache_read, cache_write] = [
    1 + draw(8000),
    1 + draw(2000),
    draw(3) * draw(4000),
    draw(5) === 0 ? draw(2000) : 0,
  ]
  const shown = { prompt_tokens: text_in + cache_read, completion_tokens: text_out, reasoning: draw(text_out) }
  return { ...ZERO_USAGE, text_in, text_out, cache_read, cache_write, source, ...shown }
}

const base = { group: 'default', group_ratio: 0.9, quota_per_unit: 500_000, price_version: 17 }
const media = { image_ratio: 1, audio_ratio: 1, audio_completion_ratio: 1 }
const ratios = { completion_ratio: 4, cache_ratio: 0.1, cache_creation_ratio: 1.25, ...media, is_unpriced: false }
const quotes: readonly Quote[] = [
  ...[0.075, 0.25, 1.25, 1.5, 2.5, 7.5].map((model_ratio, index): Quote => ({
    ...base,
    ...ratios,
    mode: 'ratio',
    model: `model-${index}`,
    model_ratio,
  })),
  { ...base, ...ratios, mode: 'ratio', model: 'model-2', model_ratio: 1.25, group: 'vip', group_ratio: 0.8 },
  { ...base, mode: 'price', model: 'per-call', model_price: 0.02 },
]
const rareQuote: Quote = { ...base, ...ratios, mode: 'ratio', model: 'rare', model_ratio: 10 }

/** About as long as the explanation that a relay writes. */
function anExplanation(usage: Usage) {
  const channel = { channel_id: 3, channel_name: 'east' }
  const times = { started_ms: 9, first_byte_ms: 240, ended_ms: 1800 }
  return {
    steps: STEPS.map((step, index) => ({ step, started_ms: index * 3.25, ended_ms: index * 3.25 + 2.5 })),
    attempts: [{ ...channel, channel_type: 1, upstream_model: 'model', ...times, outcome: 'answered', status: 200, retry: 'no' }],
    candidates: [{ ...channel, priority: 0, weight: 1, result: 'chosen' as const }],
    candidates_cut: 0,
    wallet_held: 4000,
    token_held: 4000,
    warnings: [],
    raw_usage: JSON.stringify({ prompt_tokens: usage.prompt_tokens, completion_tokens: usage.completion_tokens }),
    client: { ip: '203.0.113.7', user_agent: 'OpenAI/Python 1.99.0', method: 'POST', path: '/v1/chat/completions' },
    is_cut: false,
    ended_by: 'complete',
    client_status: 200,
  }
}

/** COPY's text format: https://www.postgresql.org/docs/current/sql-copy.html#SQL-COPY-FILE-FORMATS */
function escapeCopy(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')
}
