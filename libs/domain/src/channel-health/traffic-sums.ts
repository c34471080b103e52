import type { ChannelTraffic, TrafficSums } from '@tollgate/contracts/channels/effective-cost'
import type { Quote, Usage } from '@tollgate/contracts/pricing/quote'
import type { StoredExplanation } from '@tollgate/contracts/relay/usage-event'
import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import { ByChannelAndModel } from './by-channel-and-model.ts'

/** A request as its log row has it; `model_name` is the model that served it. */
export type LoggedRequest = {
  readonly created_at: UnixSeconds
  /** 0: no channel answered. */
  readonly channel_id: number
  readonly model_name: string
  readonly quota: Quota
  readonly usage: Usage | null
  readonly quote: Quote | null
  readonly explanation: StoredExplanation | null
}

type Sums = { -readonly [Field in keyof ChannelTraffic]: ChannelTraffic[Field] }

/** Adds up requests per model and channel, one by one. */
export class TrafficTally {
  readonly #sums = new ByChannelAndModel<Sums>((channel_id, model) => ({ channel_id, model, ...NOTHING }))

  add(request: LoggedRequest): void {
    const { channel_id, model_name, quote, explanation } = request
    // Without a quote nothing is known of what the channel cost.
    if (quote === null) return
    const asked = explanation?.fallback?.asked ?? model_name
    for (const { outcome, channel_id: tried, model = asked } of explanation?.attempts ?? []) {
      if (outcome !== 'answered' && outcome !== 'aborted') this.#sums.of(tried, model).failed_attempts += 1
    }
    if (channel_id !== 0) addTo(this.#sums.of(channel_id, model_name), { ...request, quote })
  }

  /** Sorted by model and channel; failed attempts of channels that answered nothing are left out. */
  rows(): ChannelTraffic[] {
    return this.#sums
      .values()
      .filter(({ last_at }) => last_at > 0)
      .toSorted((a, b) => (a.model < b.model ? -1 : a.model > b.model ? 1 : a.channel_id - b.channel_id))
  }
}

const NOTHING: TrafficSums = {
  requests: 0,
  usd: 0,
  wasted_usd: 0,
  list_usd: 0,
  useful_tokens: 0,
  prompt_tokens: 0,
  cached_tokens: 0,
  output_tokens: 0,
  failed_attempts: 0,
  last_at: 0,
}

const NO_TOKEN_PRICE = { model_ratio: 0, completion_ratio: 1 }

function addTo(sums: Sums, { created_at, quota, usage, quote, explanation }: LoggedRequest & { readonly quote: Quote }): void {
  const scale = quote.group_ratio * quote.quota_per_unit
  const usd = scale === 0 ? 0 : quota / scale
  // Rows of 1.0.0-rc.1 may lack single fields.
  const {
    text_in = 0,
    cache_read = 0,
    cache_write = 0,
    cache_write_1h = 0,
    prompt_tokens = 0,
    completion_tokens = 0,
  }: Partial<Usage> = usage ?? {}
  // Formats differ in whether the prompt includes what was cached.
  const prompt = Math.max(prompt_tokens, text_in + cache_read + cache_write + cache_write_1h)
  sums.usd += usd
  sums.prompt_tokens += prompt
  sums.cached_tokens += cache_read
  sums.last_at = Math.max(sums.last_at, created_at)
  if ((explanation?.ended_by ?? 'complete') !== 'complete') {
    sums.wasted_usd += usd
    return
  }
  const { model_ratio, completion_ratio } = 'model_ratio' in quote ? quote : NO_TOKEN_PRICE
  sums.requests += 1
  sums.list_usd += ((prompt + completion_tokens * completion_ratio) * model_ratio) / 500_000
  sums.useful_tokens += prompt + completion_tokens
  sums.output_tokens += completion_tokens
}
