import type { ForecastRow } from '@tollgate/contracts/channels/routing-forecast'

/** The likeliest at each attempt first; those that are never tried by priority. */
export function inTryOrder(rows: readonly ForecastRow[]): ForecastRow[] {
  return rows.toSorted((one, other) => {
    const turns = Math.max(one.probabilities.length, other.probabilities.length)
    for (let at = 0; at < turns; at += 1) {
      const difference = (other.probabilities[at] ?? 0) - (one.probabilities[at] ?? 0)
      if (difference !== 0) return difference
    }
    return other.first.priority - one.first.priority || one.first.channel_id - other.first.channel_id
  })
}
