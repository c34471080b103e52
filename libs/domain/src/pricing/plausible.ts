import type { Usage } from '@tollgate/contracts/pricing/quote'

/** Far above any request's usage; products with ratios and prices stay safe integers. */
const MAX_COUNT = 1_000_000_000

/** The vendor's usage, or undefined if one of its counts cannot be true. The request is then charged by an estimate. */
export function plausibleUsage(usage: Usage | undefined): Usage | undefined {
  return usage !== undefined && isPlausible(usage) ? usage : undefined
}

function isPlausible(counts: object): boolean {
  for (const count of Object.values(counts)) {
    if (typeof count === 'number' ? count > MAX_COUNT : typeof count === 'object' && count !== null && !isPlausible(count)) return false
  }
  return true
}
