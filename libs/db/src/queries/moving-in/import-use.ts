import { sql } from 'kysely'
import type { Quota, UnixMillis, UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'
import { toJsonb } from '../../jsonb.ts'

export type CarriedTask = {
  readonly task_id: string
  readonly family: 'midjourney' | 'suno' | 'video'
  readonly platform: string
  readonly user_id: number
  readonly channel_id: number
  readonly request_id: string
  readonly vendor_task_id: string
  readonly action: string
  readonly state: 'success' | 'failure'
  readonly status: string
  readonly progress: string
  readonly prompt: string
  readonly prompt_en: string
  readonly description: string
  readonly fail_reason: string
  readonly image_url: string
  readonly properties: Readonly<Record<string, unknown>>
  readonly data: unknown
  readonly quota: Quota
  readonly submit_time: UnixMillis
  readonly start_time: UnixMillis
  readonly finish_time: UnixMillis
  readonly now: UnixSeconds
}

/** A task that ended before the move; it counts as posted, and is never polled. */
export async function saveCarriedTask(tx: Tx, { now, properties, data, ...task }: CarriedTask): Promise<number> {
  const row = await tx
    .insertInto('tasks')
    .values({
      ...task,
      properties: toJsonb(properties),
      data: data === null ? null : toJsonb(data),
      is_posted: true,
      deadline: task.submit_time,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.column('request_id').doUpdateSet({ status: task.status, progress: task.progress, updated_at: now }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export type CarriedSums = {
  readonly users_quota: bigint
  readonly users_used: bigint
  readonly channels_used: bigint
}

/**
 * Balances that the accounts of an import have of it: wallet entries less the use that was carried. Requests that they made here since do not
 * count, nor does what subscriptions left.
 */
export async function sumCarried(db: Db | Tx, name: string): Promise<CarriedSums> {
  const { rows } = await sql<{ users_quota: string; users_used: string; channels_used: string }>`
    with accounts as (
      select target_id, (state->>'used')::numeric as used from imported_rows where import_name = ${name} and kind = 'users'
    )
    select
      (coalesce((select sum(amount) from wallet_entries where kind in ('import', 'transfer') and reference like ${`import:${name}:user:%`}), 0)
        - coalesce((select sum(used) from accounts), 0))::text as users_quota,
      coalesce((select sum(used) from accounts), 0)::text as users_used,
      coalesce((select sum((state->>'used')::numeric) from imported_rows where import_name = ${name} and kind = 'channels'), 0)::text as channels_used`.execute(
    db,
  )
  const [row] = rows
  return {
    users_quota: BigInt(row?.users_quota ?? '0'),
    users_used: BigInt(row?.users_used ?? '0'),
    channels_used: BigInt(row?.channels_used ?? '0'),
  }
}
