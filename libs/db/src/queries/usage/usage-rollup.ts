import { LogType } from '@tollgate/contracts/enums'
import { sql, type RawBuilder } from 'kysely'
import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'
import { UNIT_SECONDS, type RolledUp, type RollupUnit } from '../../spans.ts'

/**
 * Sums over whole hours, days and weeks of `usage_hours`, so that a list or a statistic over months reads thousands of rows instead of
 * millions (ADR 19). A period is `marked`, then summed up once every transaction that was running at that moment has ended, and is then
 * `rolled-up`. A statement that changes an hour of `usage_hours` also reopens its periods. Periods that are not rolled up are read from
 * `usage_hours`, so the rollup changes the speed of an answer and never its result.
 */

/** Starts of periods, as expressions of type bigint[]. */
export type Starts = { readonly hours: RawBuilder<unknown>; readonly days: RawBuilder<unknown>; readonly weeks: RawBuilder<unknown> }

/** Invalidates the sums of these periods. Part of the statement that changes `usage_hours`; locks rows in key order. */
export function reopenPeriods({ hours, days, weeks }: Starts): RawBuilder<unknown> {
  return sql`
    update usage_rollup_periods set state = 'open' where (unit, start) in (
      select unit, start from usage_rollup_periods
      where ((unit = 'hour' and start = any(${hours})) or (unit = 'day' and start = any(${days})) or (unit = 'week' and start = any(${weeks})))
        and state <> 'open'
      order by unit, start for update)`
}

/** The starts of these hours as array parameters, so that the statement text does not depend on their number. */
export function startsOf(hours: readonly UnixSeconds[]): Starts {
  const literal = (unit: RollupUnit): RawBuilder<unknown> => {
    const starts = new Set(hours.map((hour) => hour - (hour % UNIT_SECONDS[unit])))
    return sql`${`{${[...starts].join(',')}}`}::text::bigint[]`
  }
  return { hours: literal('hour'), days: literal('day'), weeks: literal('week') }
}

export async function findRolledUp(db: Db | Tx, unit: RollupUnit): Promise<RolledUp> {
  const { rows } = await sql<{ kind: 'from' | 'until' | 'open'; start: UnixSeconds | null }>`
    select 'from' as kind, min(start) as start from usage_rollup_periods where unit = ${unit}
    union all select 'until', max(start) + ${UNIT_SECONDS[unit]} from usage_rollup_periods where unit = ${unit}
    union all select 'open', start from usage_rollup_periods where unit = ${unit} and state <> 'rolled-up'`.execute(db)
  const found = (kind: string): UnixSeconds[] => rows.flatMap((row) => (row.kind === kind && row.start !== null ? [row.start] : []))
  return { from: found('from')[0] ?? 0, until: found('until')[0] ?? 0, open: found('open') }
}

/**
 * Marks every period since the first recorded hour that ended before `before` and is not rolled up, and stores which transactions must
 * end before it is summed up (`barrier`). A barrier beyond the server's transaction counter came with a restored backup and is replaced.
 */
export async function markPeriods(db: Db, { unit, before }: { unit: RollupUnit; before: UnixSeconds }): Promise<void> {
  const seconds = UNIT_SECONDS[unit]
  await sql`
    insert into usage_rollup_periods (unit, start, state)
    select ${unit}, start, 'marked' from generate_series(
      (select min(hour) - min(hour) % ${seconds} from usage_hours), ${before - (before % seconds) - seconds}::bigint, ${seconds}::bigint) as start
    on conflict (unit, start) do update set state = 'marked', barrier = 0 where usage_rollup_periods.state = 'open'`.execute(db)
  // Must be a separate statement: only a transaction that starts after the mark is committed is sure to see it.
  await sql`
    update usage_rollup_periods set barrier = pg_snapshot_xmax(pg_current_snapshot())::text::bigint
    where unit = ${unit} and state = 'marked'
      and (barrier = 0 or barrier > pg_snapshot_xmax(pg_current_snapshot())::text::bigint)`.execute(db)
}

/** The oldest marked periods whose barrier lies before every running transaction. */
export async function listReadyPeriods(db: Db, { unit, limit }: { unit: RollupUnit; limit: number }): Promise<UnixSeconds[]> {
  const { rows } = await sql<{ start: UnixSeconds }>`
    select start from usage_rollup_periods where unit = ${unit} and state = 'marked'
      and barrier <= pg_snapshot_xmin(pg_current_snapshot())::text::bigint order by start limit ${limit}`.execute(db)
  return rows.map((row) => row.start)
}

export async function hasMarkedPeriods(db: Db, unit: RollupUnit): Promise<boolean> {
  const { rows } = await sql<{ is_left: boolean }>`
    select exists (select from usage_rollup_periods where unit = ${unit} and state = 'marked') as is_left`.execute(db)
  return rows[0]?.is_left ?? false
}

/** The cut of users' busy hours. An hour in which a user has fewer than `BUSY_ROWS` rows gets no sum: reading its rows is as fast. */
export const BUSY = 'busy'
const BUSY_ROWS = 32

type Cut = {
  readonly name: string
  readonly subject: RawBuilder<unknown>
  readonly token_name: RawBuilder<unknown>
  /** Default: the models and groups of the rows. `''` sums over all of them: the largest of all are ranked by a hundredth of the rows. */
  readonly model?: RawBuilder<unknown>
  readonly group?: RawBuilder<unknown>
}

const NONE = sql`''`
const CUTS = {
  hour: [
    { name: 'all', subject: NONE, token_name: NONE },
    { name: 'total', subject: NONE, token_name: NONE, model: NONE, group: NONE },
    { name: 'channel-hour', subject: sql`channel_id::text`, token_name: NONE },
  ],
  day: [
    { name: 'user', subject: sql`user_id::text`, token_name: sql`token_name` },
    { name: 'channel', subject: sql`channel_id::text`, token_name: NONE },
    { name: 'token', subject: sql`token_name`, token_name: NONE },
    { name: 'by-user', subject: sql`user_id::text`, token_name: NONE, model: NONE, group: NONE },
    { name: 'by-token', subject: sql`user_id::text || '/' || token_name`, token_name: NONE, model: NONE, group: NONE },
    { name: 'by-channel', subject: sql`channel_id::text`, token_name: NONE, model: NONE },
  ],
  week: [
    { name: 'week-by-user', subject: sql`user_id::text`, token_name: NONE, model: NONE, group: NONE },
    { name: 'week-by-token', subject: sql`user_id::text || '/' || token_name`, token_name: NONE, model: NONE, group: NONE },
    { name: 'week-by-channel', subject: sql`channel_id::text`, token_name: NONE, model: NONE, group: NONE },
  ],
} as const satisfies Record<RollupUnit, readonly Cut[]>

const cutsOf = (unit: RollupUnit): readonly Cut[] => CUTS[unit]

/** Sums up these periods. False when one of them changed since it was marked; the caller must then roll the transaction back. */
export async function rollupPeriods(tx: Tx, { unit, starts }: { unit: RollupUnit; starts: readonly UnixSeconds[] }): Promise<boolean> {
  const seconds = UNIT_SECONDS[unit]
  const all = sql.join(starts)
  const range = sql`
    usage_hours where hour >= ${Math.min(...starts)} and hour < ${Math.max(...starts) + seconds} and hour - hour % ${seconds}::bigint in (${all})`
  const names = [...CUTS[unit].map(({ name }) => name), ...(unit === 'hour' ? [BUSY] : [])]
  await sql`delete from usage_totals where start in (${all}) and cut in (${sql.join(names)})`.execute(tx)
  for (const { name, subject, token_name, model = sql`model_name`, group = sql`"group"` } of cutsOf(unit)) {
    await sql`
      insert into usage_totals (cut, subject, start, type, model_name, "group", token_name, requests, quota, tokens, logged_requests, logged_quota, use_time_ms,
        input_tokens, cached_tokens, latency, first_token, faults)
      select ${name}, ${subject}, hour - hour % ${seconds}::bigint, type, ${model}, ${group}, ${token_name}, sum(requests), sum(quota),
        sum(prompt_tokens + completion_tokens), sum(logged_requests), sum(logged_quota), sum(use_time_ms),
        sum(input_tokens), sum(cached_tokens), sum(latency), sum(first_token), sum(faults) from ${range} group by 1, 2, 3, 4, 5, 6, 7`.execute(
      tx,
    )
  }
  if (unit === 'hour') {
    await addBusyHours(tx, range)
    await sql`insert into usage_models select distinct model_name from ${range} on conflict do nothing`.execute(tx)
  }
  const { numAffectedRows } = await sql`
    update usage_rollup_periods set state = 'rolled-up' where unit = ${unit} and start in (${all}) and state = 'marked'`.execute(tx)
  return numAffectedRows === BigInt(starts.length)
}

/** Sums per model for users with many rows in an hour. */
async function addBusyHours(tx: Tx, range: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into usage_totals (cut, subject, start, type, model_name, "group", token_name, requests, quota, tokens, logged_requests, logged_quota, use_time_ms)
    select ${BUSY}, user_id::text, hour, type, model_name, '', '', requests, quota, tokens, logged_requests, logged_quota, use_time_ms from (
      select hour, user_id, type, model_name, sum(requests) as requests, sum(quota) as quota, sum(prompt_tokens + completion_tokens) as tokens,
        sum(logged_requests) as logged_requests, sum(logged_quota) as logged_quota, sum(use_time_ms) as use_time_ms, sum(count(*)) over (partition by hour, user_id) as rows
      from ${range} and type = ${LogType.consume} group by hour, user_id, type, model_name
    ) as summed where rows >= ${BUSY_ROWS}`.execute(tx)
}
