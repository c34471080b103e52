import { LogType } from '@tollgate/contracts/enums'
import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import { sql } from 'kysely'
import { tableOf, toArray } from '../../columns.ts'
import type { Tx } from '../../connect.ts'
import { rolledUpSpan, spansBetween, rangesNotRolledUp, type Span } from '../../spans.ts'
import { safeSum } from '../../safe-sum.ts'
import { BUSY, findRolledUp } from './usage-rollup.ts'

/** Usage of one model in one hour. */
export type UsageRow = {
  readonly hour: UnixSeconds
  readonly model_name: string
  readonly requests: number
  readonly tokens: number
  readonly quota: Quota
}

/** Hours that start between `from` and `to`, both inclusive. */
type Range = { readonly from: UnixSeconds; readonly to: UnixSeconds }

/** Usage of all users by hour and model: from `usage_totals` for rolled-up hours, from `usage_hours` for the others. */
export async function listUsage(tx: Tx, { from, to }: Range): Promise<UsageRow[]> {
  const range = { from, until: to + 1 }
  const rolledUp = await findRolledUp(tx, 'hour')
  const inside = rolledUpSpan(range, rolledUp, 'hour')
  const fine = rangesNotRolledUp(range, rolledUp, 'hour').map(
    (span) => sql`
      union all select hour, model_name, requests, prompt_tokens + completion_tokens, quota from usage_hours
      where hour >= ${span.from} and hour < ${span.until} and type = ${LogType.consume}`,
  )
  const { rows } = await sql<UsageRow>`
    select hour, model_name, sum(requests)::bigint as requests, ${safeSum(sql`tokens`)} as tokens, ${safeSum(sql`quota`)} as quota from (
      select start as hour, model_name, requests, tokens, quota from usage_totals
      where cut = 'all' and subject = '' and start >= ${inside.from} and start < ${inside.until}
        and start <> all(${`{${rolledUp.open.join(',')}}`}::text::bigint[]) and type = ${LogType.consume}
      ${sql.join(fine, sql` `)}) as part
    group by hour, model_name having sum(requests) > 0 or sum(quota) <> 0 order by hour, model_name`.execute(tx)
  return rows
}

/** Usage of one user by hour and model: from the sums of busy hours, from `usage_hours` for the others. */
export async function listUsageOfUser(tx: Tx, { user_id, from, to }: Range & { readonly user_id: number }): Promise<UsageRow[]> {
  const range = { from, until: to + 1 }
  const summed = await listBusyHours(tx, user_id, range)
  const others = spansBetween(range, [...new Set(summed.map(({ hour }) => hour))])
  const { rows } = await sql<UsageRow>`
    select hour, model_name, sum(requests)::bigint as requests, ${safeSum(sql`prompt_tokens + completion_tokens`)} as tokens,
      ${safeSum(sql`quota`)} as quota
    from ${tableOf(others, { from: 'bigint', until: 'bigint' })} cross join lateral (
      select hour, model_name, requests, prompt_tokens, completion_tokens, quota from usage_hours
      where user_id = ${user_id} and hour >= x.from and hour < x.until and type = ${LogType.consume}
      offset 0
    ) as fine
    group by hour, model_name having sum(requests) > 0 or sum(quota) <> 0 order by hour, model_name`.execute(tx)
  // Each hour comes from exactly one source, so the order by model within an hour survives the stable sort.
  return [...summed.filter(({ requests, quota }) => requests > 0 || quota !== 0), ...rows].sort((a, b) => a.hour - b.hour)
}

async function listBusyHours(tx: Tx, user_id: number, range: Span): Promise<UsageRow[]> {
  const rolledUp = await findRolledUp(tx, 'hour')
  const inside = rolledUpSpan(range, rolledUp, 'hour')
  const { rows } = await sql<UsageRow>`
    select start as hour, model_name, requests, tokens, quota from usage_totals
    where cut = ${BUSY} and subject = ${String(user_id)} and start >= ${inside.from} and start < ${inside.until}
      and start <> all(${toArray(rolledUp.open, 'bigint')}) and type = ${LogType.consume}
    order by start, model_name`.execute(tx)
  return rows
}
