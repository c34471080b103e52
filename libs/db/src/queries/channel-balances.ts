import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../connect.ts'

const KEPT_SECONDS = 90 * 86_400
const LISTED = 200

/** Stores the balance that the vendor reported, in its own currency, and forgets those of more than ninety days ago. */
export async function recordBalance(tx: Tx, { id, balance, now }: { id: number; balance: number; now: UnixSeconds }): Promise<void> {
  await tx.updateTable('channels').set({ balance, balance_updated_time: now }).where('id', '=', id).execute()
  await tx
    .insertInto('channel_balances')
    .values({ channel_id: id, at: now, balance })
    .onConflict((conflict) => conflict.columns(['channel_id', 'at']).doUpdateSet({ balance }))
    .execute()
  await tx
    .deleteFrom('channel_balances')
    .where('channel_id', '=', id)
    .where('at', '<', now - KEPT_SECONDS)
    .execute()
}

/** The latest balances of a channel, newest first. */
export function listChannelBalances(db: Db | Tx, channel_id: number): Promise<{ at: UnixSeconds; balance: number }[]> {
  return db
    .selectFrom('channel_balances')
    .select(['at', 'balance'])
    .where('channel_id', '=', channel_id)
    .orderBy('at', 'desc')
    .limit(LISTED)
    .execute()
}
