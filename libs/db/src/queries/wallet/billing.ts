import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import { sql } from 'kysely'
import type { Db } from '../../connect.ts'

export type Billed = {
  readonly user_id: number
  readonly token_id: number
  readonly expired_time: UnixSeconds
  readonly unlimited_quota: boolean
  readonly name: string
  /** Also of unlimited tokens, whose `charged` is 0. */
  readonly used_quota: Quota
  /** Separated by commas. */
  readonly model_limits: string
  readonly model_limits_enabled: boolean
  readonly granted: Quota
  readonly charged: Quota
  readonly credited: Quota
  readonly spent: Quota
  /** Charges of failed tasks that the user, and the token, got back. */
  readonly refunded: Quota
  readonly token_refunded: Quota
}

/** The sums of a token and its user. */
export async function findBilled(db: Db, keyHash: string): Promise<Billed | undefined> {
  return await db
    .selectFrom('tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select(['t.user_id', 't.id as token_id', 't.expired_time', 't.unlimited_quota', 't.granted', 't.charged'])
    .select(['t.name', 't.used_quota', 't.model_limits', 't.model_limits_enabled'])
    .select(['u.credited', 'u.spent', 'u.refunded'])
    .select(
      sql<Quota>`(select coalesce(sum(amount), 0)::bigint from token_grants where token_id = t.id and kind = 'refund')`.as(
        'token_refunded',
      ),
    )
    .where('t.key_hash', '=', keyHash)
    .where('t.deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Refunds of failed tasks to a user and to a token; both 0 if there is none. */
export async function findRefunds(
  db: Db,
  { user_id, token_id }: { readonly user_id: number; readonly token_id: number },
): Promise<{ user: Quota; token: Quota }> {
  const { rows } = await sql<{ user: Quota; token: Quota }>`
    select coalesce((select refunded from users where id = ${user_id}), 0) as user,
      coalesce((select sum(amount)::bigint from token_grants where token_id = ${token_id} and kind = 'refund'), 0) as token`.execute(db)
  return rows[0] ?? { user: 0, token: 0 }
}
