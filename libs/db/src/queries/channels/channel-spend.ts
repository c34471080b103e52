import { LogType } from '@tollgate/contracts/enums'
import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import { sql } from 'kysely'
import { toArray } from '../../columns.ts'
import type { Tx } from '../../connect.ts'
import { safeSum } from '../../safe-sum.ts'
import { rangesNotRolledUp, rolledUpSpan } from '../../spans.ts'
import { findRolledUp } from '../usage/usage-rollup.ts'

/** Charges of the users of one group for calls of a model at a channel. */
export type ChannelSpend = { readonly channel_id: number; readonly group: string; readonly model: string; readonly quota: Quota }

const END_OF_TIME = Number.MAX_SAFE_INTEGER

/** Charges since `from`, a full hour, by channel, group and model: from `usage_totals` for rolled-up hours, from `usage_hours` for the others. */
export async function listChannelSpend(
  tx: Tx,
  { ids, from }: { readonly ids: readonly number[]; readonly from: UnixSeconds },
): Promise<ChannelSpend[]> {
  if (ids.length === 0) return []
  const range = { from, until: END_OF_TIME }
  const rolledUp = await findRolledUp(tx, 'hour')
  const inside = rolledUpSpan(range, rolledUp, 'hour')
  const fine = rangesNotRolledUp(range, rolledUp, 'hour').map(
    (span) => sql`
      union all select channel_id, "group", model_name, quota from usage_hours
      where channel_id = any(${toArray(ids, 'bigint')}) and hour >= ${span.from} and hour < ${span.until} and type = ${LogType.consume}`,
  )
  const { rows } = await sql<ChannelSpend>`
    select channel_id, "group", model_name as model, ${safeSum(sql`quota`)} as quota from (
      select subject::bigint as channel_id, "group", model_name, quota from usage_totals
      where cut = 'channel-hour' and subject = any(${toArray(ids, 'text')}) and start >= ${inside.from} and start < ${inside.until}
        and start <> all(${toArray(rolledUp.open, 'bigint')}) and type = ${LogType.consume}
      ${sql.join(fine, sql` `)}) as part
    group by 1, 2, 3 having sum(quota) <> 0 order by 1, 2, 3`.execute(tx)
  return rows
}
