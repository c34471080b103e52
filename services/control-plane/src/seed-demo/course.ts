import { ZERO_USAGE, type RatioQuote, type Usage } from '@tollgate/contracts/pricing/quote'
import { STEPS, type RecordedChoice, type StoredExplanation } from '@tollgate/contracts/relay/usage-event'
import { BLANK_CHANNEL } from '@tollgate/domain/channel-choice/blank-channel'
import { chooseChannel } from '@tollgate/domain/channel-choice/choose'
import { numbersOf } from '@tollgate/domain/channel-choice/numbers-of'
import { recordDraw } from '@tollgate/domain/channel-choice/record-choice'
import { CHANNELS, MODELS, USERS, type DemoRequest } from './traffic.ts'

/** A ratio of 1 is 2 US dollars per million tokens. */
const USD_PER_RATIO = 2
const CACHE_RATIO = 0.5

/** The quote of a request: its model's price, without a group's discount. */
export function demoQuote({ user, model }: DemoRequest): RatioQuote {
  const { name = '', input = 1, output = 0 } = MODELS[model] ?? {}
  return {
    mode: 'ratio',
    model: name,
    group: USERS[user]?.group ?? '',
    group_ratio: 1,
    quota_per_unit: 500_000,
    price_version: 1,
    model_ratio: input / USD_PER_RATIO,
    completion_ratio: input === 0 ? 0 : output / input,
    cache_ratio: CACHE_RATIO,
    cache_creation_ratio: 1.25,
    image_ratio: 1,
    audio_ratio: 1,
    audio_completion_ratio: 1,
    is_unpriced: false,
  }
}

export function demoUsage({ isFailed, prompt_tokens, cached_tokens, completion_tokens }: DemoRequest): Usage {
  if (isFailed) return ZERO_USAGE
  const text = { text_in: prompt_tokens - cached_tokens, cache_read: cached_tokens, text_out: completion_tokens }
  return { ...ZERO_USAGE, ...text, prompt_tokens, completion_tokens, source: 'upstream' }
}

/** Milliseconds until each step of a request ended, before it is sent to the vendor. */
const BEFORE_DISPATCH = [1, 2, 3, 4, 6] as const
const SETTLE_MS = 2

/** How a request went: its steps, one attempt, and the channels that could have served it. */
export function demoExplanation(request: DemoRequest, { channels }: { readonly channels: readonly number[] }): StoredExplanation {
  const { isFailed, use_time_ms, first_token_ms, channel } = request
  const sent = BEFORE_DISPATCH[BEFORE_DISPATCH.length - 1] ?? 0
  const first = Math.max(sent, isFailed ? use_time_ms : first_token_ms)
  const ends = [...BEFORE_DISPATCH, first, Math.max(first, use_time_ms), Math.max(first, use_time_ms) + SETTLE_MS]
  const model = MODELS[request.model]?.name ?? ''
  const nameOf = (index: number): { channel_id: number; channel_name: string } => ({
    channel_id: channels[index] ?? 0,
    channel_name: CHANNELS[index]?.name ?? '',
  })
  const serving = CHANNELS.flatMap(({ prefixes }, index) => (prefixes.some((prefix) => model.startsWith(prefix)) ? [index] : []))
  return {
    steps: STEPS.map((step, index) => ({ step, started_ms: index === 0 ? 0 : (ends[index - 1] ?? 0), ended_ms: ends[index] ?? 0 })),
    attempts: [
      {
        ...nameOf(channel),
        channel_type: CHANNELS[channel]?.type ?? 0,
        upstream_model: model,
        started_ms: sent,
        ended_ms: Math.max(first, use_time_ms),
        ...(isFailed
          ? { outcome: 'refused' as const, status: 503, message: 'upstream error 503' }
          : { outcome: 'answered' as const, status: 200, first_byte_ms: first }),
      },
    ],
    candidates: serving.map((index) => ({
      ...nameOf(index),
      priority: 0,
      weight: CHANNELS[index]?.weight ?? 0,
      result: index === channel ? 'chosen' : 'not-drawn',
    })),
    candidates_cut: 0,
    choice: demoChoice(request, { channels, serving }),
    wallet_held: 0,
    token_held: 0,
    warnings: [],
    client: { ip: '192.0.2.10', user_agent: 'demo', method: 'POST', path: '/v1/chat/completions' },
    is_cut: false,
    ended_by: isFailed ? 'upstream-failed' : 'complete',
    client_status: isFailed ? 503 : 200,
    token_charge: 0,
  }
}

type Served = { readonly channels: readonly number[]; readonly serving: readonly number[] }

/** The choice that leads to the channel of the request: the first seed that a relay would have drawn it from. */
function demoChoice({ at, user, channel }: DemoRequest, { channels, serving }: Served): RecordedChoice {
  const candidates = serving.map((index) => ({ ...BLANK_CHANNEL, id: channels[index] ?? 0, weight: CHANNELS[index]?.weight ?? 0 }))
  const start = Math.imul(at, 2_654_435_761) + user
  for (let nth = 0; ; nth += 1) {
    const seed = (start + nth) >>> 0
    const input = { channels: candidates, tried: new Map<number, Set<string>>(), retries_left: 0, random: numbersOf(seed, 0) }
    const choice = chooseChannel(input)
    if (choice.channel?.id === channels[channel]) return { seed, draws: [recordDraw(choice, input, { n: 0, at: 0, group: undefined })] }
  }
}

/** As the relays make them: the day in UTC first, by which their keys are stored. */
export function demoRequestId({ at }: DemoRequest, index: number): string {
  const time = new Date(at * 1000).toISOString().replaceAll(/\D/g, '').slice(0, 14)
  return `${time}demo${String(index).padStart(8, '0')}`
}
