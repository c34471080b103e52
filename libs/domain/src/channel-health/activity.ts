/** Outcomes and latencies of a channel's calls in one period of five minutes. */
export type Activity = {
  readonly ok: number
  readonly failed: number
  /** Answered calls by latency: one count per bound in LATENCY_BOUNDS_MS, and one for slower calls. */
  readonly latency: readonly number[]
}

export const ACTIVITY_SECONDS = 300
/** One hour. */
export const ACTIVITY_PERIODS = 12

/** Upper bounds of the latency histogram. */
export const LATENCY_BOUNDS_MS = [
  50, 100, 150, 200, 300, 400, 500, 750, 1000, 1500, 2000, 3000, 4000, 5000, 7500, 10_000, 15_000, 20_000, 30_000, 60_000, 120_000,
] as const

export function latencyIndex(ms: number): number {
  const index = LATENCY_BOUNDS_MS.findIndex((bound) => ms <= bound)
  return index === -1 ? LATENCY_BOUNDS_MS.length : index
}

/** Starts of the periods of the last hour in unix seconds, oldest first; the last one is not over. */
export function activityStarts(now: number, count: number = ACTIVITY_PERIODS): number[] {
  const current = now - (now % ACTIVITY_SECONDS)
  return Array.from({ length: count }, (_, index) => current - (count - 1 - index) * ACTIVITY_SECONDS)
}

export function sumActivity(parts: readonly (Activity | undefined)[]): Activity {
  const latency = Array.from({ length: LATENCY_BOUNDS_MS.length + 1 }, () => 0)
  let ok = 0
  let failed = 0
  for (const part of parts) {
    if (part === undefined) continue
    ok += part.ok
    failed += part.failed
    for (const [index, count] of part.latency.entries()) latency[index] = (latency[index] ?? 0) + count
  }
  return { ok, failed, latency }
}

/** The latency that 95 of 100 answered calls did not exceed, interpolated within its bucket; undefined without calls. */
export const p95Of = (latency: readonly number[]): number | undefined => quantileOf(latency, 0.95)

/** Periods whose calls say how fast a channel is: the last five to ten minutes. */
export const LATENCY_PERIODS = 2
const ENOUGH_ANSWERS = 5

/** The median latency of a channel that answered often enough in these periods, in milliseconds. */
export function typicalLatency(periods: readonly (Activity | undefined)[]): number | undefined {
  const { latency } = sumActivity(periods)
  return latency.reduce((sum, count) => sum + count, 0) < ENOUGH_ANSWERS ? undefined : quantileOf(latency, 0.5)
}

function quantileOf(latency: readonly number[], share: number): number | undefined {
  const total = latency.reduce((sum, count) => sum + count, 0)
  if (total === 0) return undefined
  const rank = total * share
  let before = 0
  for (const [index, count] of latency.entries()) {
    if (before + count >= rank && count > 0) {
      const low = index === 0 ? 0 : (LATENCY_BOUNDS_MS[index - 1] ?? 0)
      const high = LATENCY_BOUNDS_MS[index] ?? low
      return Math.round(low + ((rank - before) / count) * (high - low))
    }
    before += count
  }
  return LATENCY_BOUNDS_MS.at(-1)
}

/** Calls that are enough to judge a channel by their share of failures. */
const ENOUGH_CALLS = 5
const FAILING_SHARE = 0.5

/** Fewer calls are enough when all of them failed. */
const ENOUGH_FAILURES = 2

type Calls = Pick<Activity, 'ok' | 'failed'>

/**
 * True if a channel fails now, by its periods from the oldest to the newest: at least half of its latest calls failed, or all calls of the
 * periods did. The latest calls are those of the newest periods that together have enough of them, so that a channel that is called rarely
 * is judged like one that is called often.
 */
export function isFailing(periods: readonly (Calls | undefined)[]): boolean {
  let [ok, failed] = [0, 0]
  for (const period of periods.toReversed()) {
    ok += period?.ok ?? 0
    failed += period?.failed ?? 0
    if (ok + failed >= ENOUGH_CALLS) return failed / (ok + failed) >= FAILING_SHARE
  }
  return ok === 0 && failed >= ENOUGH_FAILURES
}
