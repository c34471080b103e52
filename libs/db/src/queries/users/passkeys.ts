import type { Selectable } from 'kysely'
import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'
import type { Database } from '../../schema.ts'

export type PasskeyRow = Selectable<Database['passkeys']>

export function listPasskeys(db: Db | Tx, userId: number): Promise<PasskeyRow[]> {
  return db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('id').execute()
}

export function findPasskey(db: Db | Tx, credentialId: string): Promise<PasskeyRow | undefined> {
  return db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst()
}

export type NewPasskey = Omit<PasskeyRow, 'id' | 'last_used_at'>

export function createPasskey(tx: Tx, passkey: NewPasskey): Promise<PasskeyRow> {
  return tx.insertInto('passkeys').values(passkey).returningAll().executeTakeFirstOrThrow()
}

/** Notes the use of a passkey; false when it was removed, or its counter has been reached already. */
export async function notePasskeyUse(
  db: Db | Tx,
  { id, counter, now }: { id: number; counter: number; now: UnixSeconds },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ counter, last_used_at: now })
    .where('id', '=', id)
    // Authenticators without a counter always send 0.
    .where('counter', counter === 0 ? '=' : '<', counter)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function removePasskey(tx: Tx, { id, user_id }: { id: number; user_id: number }): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('passkeys').where('id', '=', id).where('user_id', '=', user_id).executeTakeFirst()
  return numDeletedRows === 1n
}

export async function removePasskeysOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('passkeys').where('user_id', '=', userId).execute()
}
