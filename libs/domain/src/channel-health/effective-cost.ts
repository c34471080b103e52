import { ENOUGH_REQUESTS, type EffectiveCost, type TrafficSums } from '@tollgate/contracts/channels/effective-cost'

type Shown = Omit<EffectiveCost, 'channel_id' | 'channel_name' | 'model'>

const MILLION = 1_000_000
const share = (part: number, whole: number): number => (whole > 0 ? part / whole : 0)

/** The cost of a million useful tokens with its parts. With too few requests it is the list price. */
export function effectiveCost(sums: TrafficSums, cost_ratio: number): Shown {
  const { requests, useful_tokens } = sums
  const perMillion = (usd: number): number | null => (useful_tokens > 0 ? (usd * cost_ratio * MILLION) / useful_tokens : null)
  const list_usd_per_million = sums.list_usd > 0 ? perMillion(sums.list_usd) : null
  const is_measured = requests >= ENOUGH_REQUESTS
  return {
    requests,
    is_measured,
    usd_per_million: is_measured ? perMillion(sums.usd) : list_usd_per_million,
    list_usd_per_million,
    cost_ratio,
    cached_share: share(sums.cached_tokens, sums.prompt_tokens),
    output_share: share(sums.output_tokens, useful_tokens),
    wasted_share: share(sums.wasted_usd, sums.usd),
    failures_per_request: share(sums.failed_attempts, requests),
    last_at: sums.last_at,
  }
}
