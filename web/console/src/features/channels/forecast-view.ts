import type { ForecastRow } from '@tollgate/contracts/routing-forecast'

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

/** A share as percent: `–` for never, `< 0.1 %` for almost never. */
export function percentText(probability: number): string {
  if (probability === 0) return '–'
  const percent = probability * 100
  if (percent < 0.1) return '< 0.1 %'
  return `${percent > 99.9 && percent < 100 ? '> 99.9' : Number(percent.toFixed(1))} %`
}
