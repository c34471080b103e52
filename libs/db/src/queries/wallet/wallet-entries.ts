import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import type { Db } from '../../connect.ts'

export type WalletEntryRow = {
  readonly id: number
  readonly user_id: number
  readonly username: string | null
  readonly kind: string
  readonly amount: Quota
  readonly reference: string
  readonly actor_id: number
  readonly note: string
  readonly created_at: UnixSeconds
}

type Page = {
  /** Absent: all users. */
  readonly user_id?: number
  /** Inclusive; 0: no limit. */
  readonly from: UnixSeconds
  readonly to: UnixSeconds
  /** Only entries with a greater id. */
  readonly after: number
  readonly limit: number
}

/** A page of wallet entries in the order of their ids. */
export async function listWalletEntries(db: Db, { user_id, from, to, after, limit }: Page): Promise<WalletEntryRow[]> {
  return await db
    .selectFrom('wallet_entries as e')
    .leftJoin('users as u', 'u.id', 'e.user_id')
    .select(['e.id', 'e.user_id', 'u.username', 'e.kind', 'e.amount', 'e.reference', 'e.actor_id', 'e.note', 'e.created_at'])
    .where('e.id', '>', after)
    .$if(user_id !== undefined, (query) => query.where('e.user_id', '=', user_id ?? 0))
    .$if(from > 0, (query) => query.where('e.created_at', '>=', from))
    .$if(to > 0, (query) => query.where('e.created_at', '<=', to))
    .orderBy('e.id')
    .limit(limit)
    .execute()
}
