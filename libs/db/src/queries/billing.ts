import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import type { Db } from '../connect.ts'

export type Billed = {
  readonly user_id: number
  readonly token_id: number
  readonly expired_time: UnixSeconds
  readonly unlimited_quota: boolean
  readonly granted: Quota
  readonly charged: Quota
  readonly credited: Quota
  readonly spent: Quota
}

/** The sums of a token and its user. */
export async function findBilled(db: Db, keyHash: string): Promise<Billed | undefined> {
  return await db
    .selectFrom('tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select(['t.user_id', 't.id as token_id', 't.expired_time', 't.unlimited_quota', 't.granted', 't.charged', 'u.credited', 'u.spent'])
    .where('t.key_hash', '=', keyHash)
    .where('t.deleted_at', 'is', null)
    .executeTakeFirst()
}
