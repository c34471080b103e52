import { HOUR_SECONDS, type UnixSeconds } from '@tollgate/contracts/units'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../../connect.ts'
import { logStoreOf, type CountedStep, type LogFilter, type Steps } from '../../log-store.ts'
import { countParts } from './log-counts.ts'
import { isOfRows, rowConditionsOf } from './log-filter.ts'

/** True if every row is counted in any step, however many there are. */
export const countsAllRows = (tx: Tx): boolean => logStoreOf(tx) !== undefined

/** The most rows that are read one by one; older ones are then not counted. */
export const MAX_COUNTED_ROWS = 50_000

/**
 * Rows by time and type, oldest first. Steps of whole hours come from the sums, where some are kept; shorter ones, and a filter of fields
 * that only the rows have, from the newest rows.
 */
export async function countSteps(tx: Tx, filter: LogFilter, { seconds, shift }: Steps): Promise<CountedStep[]> {
  const store = logStoreOf(tx)
  if (store !== undefined) return await store.countSteps({ filter }, { seconds, shift })
  const isFine = isOfRows(filter) || seconds % HOUR_SECONDS !== 0
  const parts = isFine ? newestRows(filter) : await countParts(tx, filter, { seconds, shift })
  const start = sql`("from" + ${shift}::bigint) / ${seconds}::bigint * ${seconds}::bigint - ${shift}::bigint`
  const { rows } = await sql<CountedStep>`
    select ${start} as at, type, sum(rows)::bigint as rows from (${parts}) as part group by 1, 2 having sum(rows) > 0 order by 1, 2`.execute(
    tx,
  )
  return rows
}

const newestRows = (filter: LogFilter): RawBuilder<unknown> => sql`
  select created_at as "from", type, 1 as rows from logs where ${rowConditionsOf(filter)}
  order by created_at desc, id desc limit ${MAX_COUNTED_ROWS}`

/** The hour of the oldest recorded usage; undefined: there is none. */
export async function findFirstHour(tx: Tx): Promise<UnixSeconds | undefined> {
  const { rows } = await sql<{ hour: UnixSeconds | null }>`select min(hour) as hour from usage_hours`.execute(tx)
  return rows[0]?.hour ?? undefined
}
