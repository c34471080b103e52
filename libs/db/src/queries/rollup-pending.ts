import { LogType } from '@tollgate/contracts/enums'
import { sql, type RawBuilder } from 'kysely'
import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../connect.ts'
import { UNIT_SECONDS, type Folded, type RollupUnit } from '../spans.ts'

/**
 * Folding: whole hours and days of the roll-up are added up once, so that a list or a statistic of months reads thousands of rows and
 * not millions (ADR 19). A fold is `marked`, then summed up when every transaction that was under way at the marking has ended, then
 * `folded`. Whoever changes an hour of the roll-up sets its folds back to `open` in the same statement. Whatever is not folded is
 * read from the roll-up itself: folds decide how fast an answer is, never which.
 */

/** Starts of units, as an expression of type bigint[]. */
export type Starts = { readonly hours: RawBuilder<unknown>; readonly days: RawBuilder<unknown> }

/** Sums of these hours and days stop holding. Part of the statement that changes the roll-up; locks in key order. */
export function pendingRollups({ hours, days }: Starts): RawBuilder<unknown> {
  return sql`
    update usage_rollup_pending set state = 'open' where (unit, start) in (
      select unit, start from usage_rollup_pending
      where ((unit = 'hour' and start = any(${hours})) or (unit = 'day' and start = any(${days}))) and state <> 'open'
      order by unit, start for update)`
}

/** The same starts as parameters; the text of the statement stays the same however many there are. */
export function startsOf(hours: readonly UnixSeconds[]): Starts {
  const literal = (unit: RollupUnit): RawBuilder<unknown> => {
    const starts = new Set(hours.map((hour) => hour - (hour % UNIT_SECONDS[unit])))
    return sql`${`{${[...starts].join(',')}}`}::text::bigint[]`
  }
  return { hours: literal('hour'), days: literal('day') }
}

export async function findFolded(db: Db | Tx, unit: RollupUnit): Promise<Folded> {
  const { rows } = await sql<{ kind: 'from' | 'until' | 'open'; start: UnixSeconds | null }>`
    select 'from' as kind, min(start) as start from usage_rollup_pending where unit = ${unit}
    union all select 'until', max(start) + ${UNIT_SECONDS[unit]} from usage_rollup_pending where unit = ${unit}
    union all select 'open', start from usage_rollup_pending where unit = ${unit} and state <> 'folded'`.execute(db)
  const found = (kind: string): UnixSeconds[] => rows.flatMap((row) => (row.kind === kind && row.start !== null ? [row.start] : []))
  return { from: found('from')[0] ?? 0, until: found('until')[0] ?? 0, open: found('open') }
}

/**
 * Marks every unit that ended before `before` and is not folded, from the first hour of the roll-up on, and notes which transactions
 * must have ended before it may be summed up. A barrier beyond the server's own counter came with a restored backup.
 */
export async function markRollups(db: Db, { unit, before }: { unit: RollupUnit; before: UnixSeconds }): Promise<void> {
  const seconds = UNIT_SECONDS[unit]
  await sql`
    insert into usage_rollup_pending (unit, start, state)
    select ${unit}, start, 'marked' from generate_series(
      (select min(hour) - min(hour) % ${seconds} from usage_hours), ${before - (before % seconds) - seconds}::bigint, ${seconds}::bigint) as start
    on conflict (unit, start) do update set state = 'marked', barrier = 0 where usage_rollup_pending.state = 'open'`.execute(db)
  // A statement of its own: only what begins after the mark is there has certainly seen it.
  await sql`
    update usage_rollup_pending set barrier = pg_snapshot_xmax(pg_current_snapshot())::text::bigint
    where unit = ${unit} and state = 'marked'
      and (barrier = 0 or barrier > pg_snapshot_xmax(pg_current_snapshot())::text::bigint)`.execute(db)
}

/** The oldest marked units whose barrier every running transaction has passed. */
export async function listFoldable(db: Db, { unit, limit }: { unit: RollupUnit; limit: number }): Promise<UnixSeconds[]> {
  const { rows } = await sql<{ start: UnixSeconds }>`
    select start from usage_rollup_pending where unit = ${unit} and state = 'marked'
      and barrier <= pg_snapshot_xmin(pg_current_snapshot())::text::bigint order by start limit ${limit}`.execute(db)
  return rows.map((row) => row.start)
}

export async function hasMarkedRollups(db: Db, unit: RollupUnit): Promise<boolean> {
  const { rows } = await sql<{ is_left: boolean }>`
    select exists (select from usage_rollup_pending where unit = ${unit} and state = 'marked') as is_left`.execute(db)
  return rows[0]?.is_left ?? false
}

/** The cut of users' hours; an hour in which a user has fewer rows than `BUSY_ROWS` has no sum: its rows are as quickly read. */
export const BUSY = 'busy'
const BUSY_ROWS = 32

type Cut = { readonly name: string; readonly subject: RawBuilder<unknown>; readonly token_name: RawBuilder<unknown> }

const NONE = sql`''`
const CUTS = {
  hour: [{ name: 'all', subject: NONE, token_name: NONE }],
  day: [
    { name: 'user', subject: sql`user_id::text`, token_name: sql`token_name` },
    { name: 'channel', subject: sql`channel_id::text`, token_name: NONE },
    { name: 'token', subject: sql`token_name`, token_name: NONE },
  ],
} as const satisfies Record<RollupUnit, readonly Cut[]>

/** Sums units up; false when somebody changed one of them since it was marked, and then nothing may stay: roll back. */
export async function rollupUnits(tx: Tx, { unit, starts }: { unit: RollupUnit; starts: readonly UnixSeconds[] }): Promise<boolean> {
  const seconds = UNIT_SECONDS[unit]
  const all = sql.join(starts)
  const range = sql`
    usage_hours where hour >= ${Math.min(...starts)} and hour < ${Math.max(...starts) + seconds} and hour - hour % ${seconds}::bigint in (${all})`
  const names = [...CUTS[unit].map(({ name }) => name), ...(unit === 'hour' ? [BUSY] : [])]
  await sql`delete from usage_totals where start in (${all}) and cut in (${sql.join(names)})`.execute(tx)
  for (const { name, subject, token_name } of CUTS[unit]) {
    await sql`
      insert into usage_totals (cut, subject, start, type, model_name, "group", token_name, requests, quota, tokens, logged_requests, logged_quota)
      select ${name}, ${subject}, hour - hour % ${seconds}::bigint, type, model_name, "group", ${token_name}, sum(requests), sum(quota),
        sum(prompt_tokens + completion_tokens), sum(logged_requests), sum(logged_quota) from ${range} group by 1, 2, 3, 4, 5, 6, 7`.execute(
      tx,
    )
  }
  if (unit === 'hour') {
    await addBusyHours(tx, range)
    await sql`insert into usage_models select distinct model_name from ${range} on conflict do nothing`.execute(tx)
  }
  const { numAffectedRows } = await sql`
    update usage_rollup_pending set state = 'folded' where unit = ${unit} and start in (${all}) and state = 'marked'`.execute(tx)
  return numAffectedRows === BigInt(starts.length)
}

/** What users with many rows in an hour consumed of each model. */
async function addBusyHours(tx: Tx, range: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into usage_totals (cut, subject, start, type, model_name, "group", token_name, requests, quota, tokens, logged_requests, logged_quota)
    select ${BUSY}, user_id::text, hour, type, model_name, '', '', requests, quota, tokens, logged_requests, logged_quota from (
      select hour, user_id, type, model_name, sum(requests) as requests, sum(quota) as quota, sum(prompt_tokens + completion_tokens) as tokens,
        sum(logged_requests) as logged_requests, sum(logged_quota) as logged_quota, sum(count(*)) over (partition by hour, user_id) as rows
      from ${range} and type = ${LogType.consume} group by hour, user_id, type, model_name
    ) as summed where rows >= ${BUSY_ROWS}`.execute(tx)
}
