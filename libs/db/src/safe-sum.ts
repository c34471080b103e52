import { sql, type RawBuilder } from 'kysely'

/**
 * A sum for display. Columns have ranges, but the sum of many rows has none: beyond a safe integer it shows the greatest one, because a
 * list must not fail for it. The verifier compares exact sums.
 */
export function safeSum(summed: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`greatest(least(coalesce(sum(${summed}), 0), 9007199254740991), -9007199254740991)::bigint`
}
