import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'

export type ReceiptKeyRow = {
  readonly id: number
  /** Thumbprint of the public key. */
  readonly kid: string
  readonly public_x: string
  /** The private key, sealed. */
  readonly key_sealed: string
  readonly created_at: UnixSeconds
  /** 0: it signs. */
  readonly retired_at: UnixSeconds
}

/** All keys, the newest first. */
export function listReceiptKeys(db: Db | Tx): Promise<ReceiptKeyRow[]> {
  return db.selectFrom('receipt_keys').selectAll().orderBy('id', 'desc').execute()
}

export function findSigningKey(db: Db | Tx): Promise<ReceiptKeyRow | undefined> {
  return db.selectFrom('receipt_keys').selectAll().where('retired_at', '=', 0).executeTakeFirst()
}

/** Adds a key that signs, unless there is one; an index allows one only. */
export async function addSigningKey(db: Db | Tx, row: Omit<ReceiptKeyRow, 'id' | 'retired_at'>): Promise<void> {
  await db
    .insertInto('receipt_keys')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function retireSigningKey(tx: Tx, now: UnixSeconds): Promise<void> {
  await tx.updateTable('receipt_keys').set({ retired_at: now }).where('retired_at', '=', 0).execute()
}
