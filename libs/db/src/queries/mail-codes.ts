import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../connect.ts'

/** `verification` proves that an address can be read; `reset` sets a new password of its account. */
export type CodePurpose = 'verification' | 'reset'

type Subject = { readonly purpose: CodePurpose; readonly address: string }

/** Stores the code that is being mailed to an address; an earlier one becomes invalid. */
export async function saveMailCode(
  db: Db | Tx,
  { purpose, address, code_hash, expires_at }: Subject & { readonly code_hash: string; readonly expires_at: UnixSeconds },
): Promise<void> {
  await db
    .insertInto('mail_codes')
    .values({ purpose, address, code_hash, expires_at })
    .onConflict((conflict) => conflict.columns(['purpose', 'address']).doUpdateSet({ code_hash, expires_at, attempts: 0 }))
    .execute()
}

type Try = Subject & { readonly now: UnixSeconds }

/** Counts an attempt at the code of an address and returns its hash; undefined when there is none, or no attempt is left. */
export async function takeCodeAttempt(db: Db, { purpose, address, now, max }: Try & { readonly max: number }): Promise<string | undefined> {
  const row = await db
    .updateTable('mail_codes')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('purpose', '=', purpose)
    .where('address', '=', address)
    .where('expires_at', '>', now)
    .where('attempts', '<', max)
    .returning('code_hash')
    .executeTakeFirst()
  return row?.code_hash
}

/** Gives back the attempt of a right code. */
export async function returnCodeAttempt(db: Db, { purpose, address }: Subject): Promise<void> {
  await db
    .updateTable('mail_codes')
    .set((eb) => ({ attempts: eb('attempts', '-', 1) }))
    .where('purpose', '=', purpose)
    .where('address', '=', address)
    .where('attempts', '>', 0)
    .execute()
}

/** Whether a code is valid now. */
export async function isMailCodeValid(
  db: Db,
  { purpose, address, now, code_hash }: Try & { readonly code_hash: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('mail_codes')
    .select('address')
    .where('purpose', '=', purpose)
    .where('address', '=', address)
    .where('code_hash', '=', code_hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/** Uses a code up, in the transaction of what it allows; false when it is not valid (any more). Of parallel calls one gets true. */
export async function useMailCode(tx: Tx, { purpose, address, now, code_hash }: Try & { readonly code_hash: string }): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('mail_codes')
    .where('purpose', '=', purpose)
    .where('address', '=', address)
    .where('code_hash', '=', code_hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export async function removeExpiredCodes(db: Db, now: UnixSeconds): Promise<void> {
  await db.deleteFrom('mail_codes').where('expires_at', '<=', now).execute()
}
