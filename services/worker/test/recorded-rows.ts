import { ZERO_USAGE, type RatioQuote, type Usage } from '@tollgate/contracts/pricing/quote'
import type { StoredExplanation } from '@tollgate/contracts/relay/usage-event'
import { toJsonb } from '@tollgate/db/jsonb'
import { chooseChannel } from '@tollgate/domain/channel-choice/choose'
import { numbersOf } from '@tollgate/domain/channel-choice/numbers-of'
import { recordDraw } from '@tollgate/domain/channel-choice/record-choice'
import { quotaOf } from '@tollgate/domain/pricing/charge'
import { aChannel } from '@tollgate/testing/a-channel'

/** A made-up request of 800 prompt and 200 output tokens, chosen as a relay chooses. */
export type RecordedRowInput = {
  readonly at: number
  readonly nth: number
  readonly channels: readonly { readonly id: number; readonly weight: number; readonly priority?: number; readonly cost_ratio?: number }[]
  readonly model: string
  readonly model_ratio: number
  readonly retries?: number
  readonly user_id?: number
  readonly group_ratio?: number
  readonly fails?: (channel_id: number, nth: number) => boolean
}

const USAGE: Usage = { ...ZERO_USAGE, source: 'upstream', text_in: 800, text_out: 200, prompt_tokens: 800, completion_tokens: 200 }

export function recordedRow({
  at,
  nth,
  channels: given,
  model,
  model_ratio,
  retries = 1,
  user_id = 1,
  group_ratio = 1,
  fails,
}: RecordedRowInput) {
  const channels = given.map(({ id, weight, priority = 0 }) => aChannel({ id, name: `c${id}`, weight, priority }))
  const seed = Math.imul(nth + 1, 0x9e3779b1) >>> 0
  const tried = new Map<number, Set<string>>()
  const attempts: StoredExplanation['attempts'] = []
  const draws: NonNullable<StoredExplanation['choice']>['draws'] = []
  let candidates: StoredExplanation['candidates'] = []
  let served = 0
  let clock = 5
  for (let left = retries; left >= 0; left -= 1) {
    const input = { channels, tried, retries_left: left, random: numbersOf(seed, draws.length) }
    const choice = chooseChannel(input)
    draws.push(recordDraw(choice, input, { n: draws.length, at: draws.length, group: undefined }))
    candidates = choice.candidates
    const { channel } = choice
    if (channel === undefined) break
    tried.set(channel.id, new Set(['']))
    const isFailed = fails?.(channel.id, nth) === true
    const ms = isFailed ? 100 : 1000 + channel.id * 10
    attempts.push({
      channel_id: channel.id,
      channel_name: channel.name,
      channel_type: 1,
      upstream_model: model,
      started_ms: clock,
      ended_ms: clock + ms,
      outcome: isFailed ? 'refused' : 'answered',
      status: isFailed ? 503 : 200,
      ...(isFailed ? { retry: left > 0 ? ('other-channel' as const) : ('no' as const) } : {}),
    })
    clock += ms
    if (!isFailed) {
      served = channel.id
      break
    }
  }
  const isAnswered = served !== 0
  const quote: RatioQuote = {
    mode: 'ratio',
    model,
    group: 'default',
    group_ratio,
    quota_per_unit: 500_000,
    price_version: 1,
    model_ratio,
    completion_ratio: 4,
    cache_ratio: 1,
    cache_creation_ratio: 1,
    image_ratio: 1,
    audio_ratio: 1,
    audio_completion_ratio: 1,
    is_unpriced: false,
  }
  const usage = isAnswered ? USAGE : ZERO_USAGE
  const explanation: StoredExplanation = {
    steps: [{ step: 'settle', started_ms: 0, ended_ms: clock }],
    attempts,
    candidates,
    candidates_cut: 0,
    choice: { seed, draws },
    wallet_held: 5000,
    token_held: 5000,
    spendable_after_reserve: 1_000_000,
    warnings: [],
    raw_usage: '{"prompt_tokens":800,"completion_tokens":200,"total_tokens":1000}',
    client: { ip: '192.0.2.10', user_agent: 'OpenAI/Python 1.54.0', method: 'POST', path: '/v1/chat/completions' },
    is_cut: false,
    ended_by: isAnswered ? 'complete' : 'upstream-failed',
    client_status: isAnswered ? 200 : 503,
  }
  return {
    created_at: at,
    type: isAnswered ? 2 : 5,
    user_id,
    username: `user-${user_id}`,
    channel_id: isAnswered ? served : (attempts.at(-1)?.channel_id ?? 0),
    model_name: model,
    group: 'default',
    quota: isAnswered ? quotaOf(quote, usage) : 0,
    use_time: Math.round(clock / 1000),
    request_id: `request-${nth}`,
    state: isAnswered ? 'settled' : 'released',
    usage: toJsonb(usage),
    quote: toJsonb(quote),
    explanation: toJsonb(explanation),
  }
}
