import { LogType } from '@tollgate/contracts/enums'
import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import { sql } from 'kysely'
import { tableOf, toArray } from '../columns.ts'
import type { Tx } from '../connect.ts'
import { foldedSpan, spansBetween, unfoldedRanges, type Span } from '../spans.ts'
import { BUSY, findFolded } from './rollup-pending.ts'

/** What was used of a model in an hour. */
export type UsageRow = {
  readonly hour: UnixSeconds
  readonly model_name: string
  readonly requests: number
  readonly tokens: number
  readonly quota: Quota
}

/** Hours that begin from `from` to `to`, both inclusive. */
type Range = { readonly from: UnixSeconds; readonly to: UnixSeconds }

/** Everybody's use by hour and model: from the sums of folded hours, from the roll-up for the others. */
export async function listUsage(tx: Tx, { from, to }: Range): Promise<UsageRow[]> {
  const range = { from, until: to + 1 }
  const folded = await findFolded(tx, 'hour')
  const inside = foldedSpan(range, folded, 'hour')
  const fine = unfoldedRanges(range, folded, 'hour').map(
    (span) => sql`
      union all select hour, model_name, requests, prompt_tokens + completion_tokens, quota from usage_hours
      where hour >= ${span.from} and hour < ${span.until} and type = ${LogType.consume}`,
  )
  const { rows } = await sql<UsageRow>`
    select hour, model_name, sum(requests)::bigint as requests, sum(tokens)::bigint as tokens, sum(quota)::bigint as quota from (
      select start as hour, model_name, requests, tokens, quota from usage_totals
      where cut = 'all' and subject = '' and start >= ${inside.from} and start < ${inside.until}
        and start <> all(${`{${folded.open.join(',')}}`}::text::bigint[]) and type = ${LogType.consume}
      ${sql.join(fine, sql` `)}) as part
    group by hour, model_name having sum(requests) > 0 or sum(quota) <> 0 order by hour, model_name`.execute(tx)
  return rows
}

/** One user's use by hour and model: hours with many rows from their sums, all others from the roll-up. */
export async function listUsageOfUser(tx: Tx, { user_id, from, to }: Range & { readonly user_id: number }): Promise<UsageRow[]> {
  const range = { from, until: to + 1 }
  const summed = await listBusyHours(tx, user_id, range)
  const others = spansBetween(range, [...new Set(summed.map(({ hour }) => hour))])
  const { rows } = await sql<UsageRow>`
    select hour, model_name, sum(requests)::bigint as requests, sum(prompt_tokens + completion_tokens)::bigint as tokens,
      sum(quota)::bigint as quota
    from ${tableOf(others, { from: 'bigint', until: 'bigint' })} cross join lateral (
      select hour, model_name, requests, prompt_tokens, completion_tokens, quota from usage_hours
      where user_id = ${user_id} and hour >= x.from and hour < x.until and type = ${LogType.consume}
      offset 0
    ) as fine
    group by hour, model_name having sum(requests) > 0 or sum(quota) <> 0 order by hour, model_name`.execute(tx)
  // An hour comes from one side whole, so what is sorted by model within an hour stays so.
  return [...summed.filter(({ requests, quota }) => requests > 0 || quota !== 0), ...rows].sort((a, b) => a.hour - b.hour)
}

async function listBusyHours(tx: Tx, user_id: number, range: Span): Promise<UsageRow[]> {
  const folded = await findFolded(tx, 'hour')
  const inside = foldedSpan(range, folded, 'hour')
  const { rows } = await sql<UsageRow>`
    select start as hour, model_name, requests, tokens, quota from usage_totals
    where cut = ${BUSY} and subject = ${String(user_id)} and start >= ${inside.from} and start < ${inside.until}
      and start <> all(${toArray(folded.open, 'bigint')}) and type = ${LogType.consume}
    order by start, model_name`.execute(tx)
  return rows
}
