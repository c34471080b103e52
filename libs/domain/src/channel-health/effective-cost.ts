import {
  ENOUGH_REQUESTS,
  type EffectiveCost,
  type ChannelTraffic,
  type MeasuredCosts,
  type TrafficSums,
} from '@tollgate/contracts/channels/effective-cost'
import type { CostFigure } from '../channel-choice/preference.ts'

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

/** The figures that relays go by, from the traffic of the last hours. */
export function measuredCosts(traffic: readonly ChannelTraffic[], { at, hours }: Pick<MeasuredCosts, 'at' | 'hours'>): MeasuredCosts {
  const byModel = Map.groupBy(traffic, ({ model }) => model)
  const models = [...byModel].flatMap(([model, rows]) => {
    const [usd, tokens] = [rows.reduce((sum, row) => sum + row.list_usd, 0), rows.reduce((sum, row) => sum + row.useful_tokens, 0)]
    return usd > 0 && tokens > 0 ? [[model, (usd * MILLION) / tokens] as const] : []
  })
  const rows = traffic
    .filter(({ useful_tokens }) => useful_tokens > 0)
    .map(({ channel_id, model, usd, requests, useful_tokens, last_at }) => ({
      channel_id,
      model,
      usd: (usd * MILLION) / useful_tokens,
      requests,
      useful_tokens,
      last_at,
    }))
  return { at, hours, models: Object.fromEntries(models), rows }
}

/** The cost of a channel for a model: as measured where there were enough requests, else the model's list price; times its cost ratio. */
export type CostReader = (channel_id: number, model: string, cost_ratio: number) => CostFigure

export function costReader(costs: MeasuredCosts | undefined): CostReader {
  const measured = new Map(
    (costs?.rows ?? []).filter(({ requests }) => requests >= ENOUGH_REQUESTS).map((row) => [`${row.channel_id} ${row.model}`, row.usd]),
  )
  const list = new Map(Object.entries(costs?.models ?? {}))
  return (channel_id, model, cost_ratio) => {
    const usd = measured.get(`${channel_id} ${model}`)
    return { usd: (usd ?? list.get(model) ?? 1) * cost_ratio, is_measured: usd !== undefined }
  }
}

type ChannelCost = { readonly usd_per_million: number; readonly requests: number; readonly is_measured: boolean; readonly last_at: number }

/** The cost of a channel's useful tokens, all its models together; undefined: it had none. */
export function channelCost(rows: MeasuredCosts['rows'], ratioOf: (model: string) => number): ChannelCost | undefined {
  const tokens = rows.reduce((sum, row) => sum + row.useful_tokens, 0)
  if (tokens <= 0) return undefined
  const usd = rows.reduce((sum, row) => sum + row.usd * row.useful_tokens * ratioOf(row.model), 0)
  const requests = rows.reduce((sum, row) => sum + row.requests, 0)
  return {
    usd_per_million: usd / tokens,
    requests,
    is_measured: requests >= ENOUGH_REQUESTS,
    last_at: Math.max(...rows.map(({ last_at }) => last_at)),
  }
}
