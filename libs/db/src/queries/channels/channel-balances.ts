import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'

const KEPT_SECONDS = 90 * 86_400
const LISTED = 200
/** Rows of one statement. */
const INSERTED = 1000

/** Stores the balance that the vendor reported, in its own currency, and deletes those of more than ninety days ago. */
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

export type KeyBalanceRow = { readonly key_id: string; readonly at: UnixSeconds; readonly balance: number | null; readonly detail: string }

/** Stores the last read of each key, in place of the earlier one, and deletes the keys that were not read. */
export async function replaceKeyBalances(tx: Tx, channel_id: number, rows: readonly KeyBalanceRow[]): Promise<void> {
  await tx.deleteFrom('channel_key_balances').where('channel_id', '=', channel_id).execute()
  for (let at = 0; at < rows.length; at += INSERTED)
    await tx
      .insertInto('channel_key_balances')
      .values(rows.slice(at, at + INSERTED).map((row) => ({ channel_id, ...row })))
      .onConflict((conflict) =>
        conflict.columns(['channel_id', 'key_id']).doUpdateSet(({ ref }) => ({
          at: ref('excluded.at'),
          balance: ref('excluded.balance'),
          detail: ref('excluded.detail'),
        })),
      )
      .execute()
}

/** The last read of each key of a channel. */
export function listKeyBalances(db: Db | Tx, channel_id: number): Promise<KeyBalanceRow[]> {
  return db.selectFrom('channel_key_balances').select(['key_id', 'at', 'balance', 'detail']).where('channel_id', '=', channel_id).execute()
}
