import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import type { RoutingStrategy } from '@tollgate/contracts/relay/routing-strategies'
import type { CandidateResult } from '@tollgate/contracts/relay/usage-event'
import { ownValue } from '@tollgate/contracts/values/own-value'

/** How channels of one priority are preferred before the draw. All absent: by weight alone. */
export type Preference = {
  /** Default: `weight`. */
  readonly strategy?: RoutingStrategy
  /** How long a channel takes to answer, in milliseconds; undefined: not known. */
  readonly latencyOf?: (channel: ChannelSnapshot) => number | undefined
  /** The model that is called, for cost ratios by model; absent: those of the channels. */
  readonly model?: string
  /** The cost of a million useful tokens of a channel; absent: by `cost_ratio`. */
  readonly costOf?: (channel: ChannelSnapshot) => CostFigure
  /** The relay's region; absent or empty: channels of all regions are alike. */
  readonly region?: string
  /** Weights count as they are, and 0 is a reserve; absent: every weight counts for 10 more. */
  readonly has_exact_weights?: boolean
}

/** US dollars for a million useful tokens: as measured, or at the list price. */
export type CostFigure = { readonly usd: number; readonly is_measured: boolean }

type Reason = Extract<CandidateResult['result'], 'slower' | 'costlier' | 'other-region'>
type Candidate = { readonly channel: ChannelSnapshot }
export type Preferred<T> = { readonly pool: readonly T[]; readonly passed: ReadonlyMap<T, Reason> }

/** A channel within this factor of the fastest one counts as equally fast: the histogram's buckets are not finer. */
const EQUALLY_FAST = 1.3
/** Costs within this factor of the lowest count as equal: what was measured varies from hour to hour. */
const EQUALLY_CHEAP = 1.05
const NONE: ReadonlyMap<never, never> = new Map<never, never>()

/** The candidates that compete, and why the others do not. Never empty if there is a candidate. */
export function prefer<T extends Candidate>(
  candidates: readonly T[],
  { strategy = 'weight', latencyOf, costOf, model, region = '' }: Preference,
): Preferred<T> {
  if (candidates.length < 2 || (strategy === 'weight' && region === '')) return { pool: candidates, passed: NONE }
  const passed = new Map<T, Reason>()
  const keep = (among: readonly T[], isKept: (one: T) => boolean, reason: Reason): readonly T[] => {
    const kept = among.filter(isKept)
    if (kept.length === 0 || kept.length === among.length) return among
    for (const one of among) if (!kept.includes(one)) passed.set(one, reason)
    return kept
  }
  const near = region === '' ? undefined : nearestRegion(candidates, region)
  const pool = near === undefined ? candidates : keep(candidates, ({ channel }) => regionOf(channel) === near, 'other-region')
  if (strategy === 'price') {
    const least = Math.min(...pool.map(({ channel }) => costRatioOf(channel, model)))
    return { pool: keep(pool, ({ channel }) => costRatioOf(channel, model) === least, 'costlier'), passed }
  }
  if (strategy === 'effective-cost') {
    const usdOf = ({ channel }: T): number => (costOf === undefined ? costRatioOf(channel, model) : costOf(channel).usd)
    const least = Math.min(...pool.map(usdOf))
    return { pool: keep(pool, (one) => usdOf(one) <= least * EQUALLY_CHEAP, 'costlier'), passed }
  }
  if (strategy === 'latency' && latencyOf !== undefined) {
    const fastest = Math.min(...pool.map(({ channel }) => latencyOf(channel) ?? Number.POSITIVE_INFINITY))
    // A channel without recent calls competes, so that it is measured.
    const isFast = ({ channel }: T): boolean => (latencyOf(channel) ?? 0) <= fastest * EQUALLY_FAST
    return { pool: keep(pool, isFast, 'slower'), passed }
  }
  return { pool, passed }
}

/** The relay's region if a candidate is in it, else none ('') if one has none; undefined: all are elsewhere. */
function nearestRegion(candidates: readonly Candidate[], region: string): string | undefined {
  return [region, ''].find((name) => candidates.some(({ channel }) => regionOf(channel) === name))
}

export const regionOf = ({ setting }: ChannelSnapshot): unknown => setting['region'] ?? ''

/** The model's entry in the channel's `cost_ratios`, else its `cost_ratio`; a channel without one costs what users pay. */
export function costRatioOf({ setting }: CostSetting, model = ''): number {
  const { cost_ratio, cost_ratios } = setting
  const own = isRecord(cost_ratios) ? ownValue(cost_ratios, model) : undefined
  for (const ratio of [own, cost_ratio]) if (typeof ratio === 'number' && ratio >= 0) return ratio
  return 1
}

export type CostSetting = Pick<ChannelSnapshot, 'setting'>

/** The channel's setting says what it costs, for all models or for some. */
export const hasCostRatio = ({ setting: { cost_ratio, cost_ratios } }: CostSetting): boolean =>
  typeof cost_ratio === 'number' || (isRecord(cost_ratios) && Object.keys(cost_ratios).length > 0)

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null
