import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'

/**
 * `verification` proves that the address of an account can be read, `notification` that of its alerts; `reset` sets a new password of the
 * account.
 */
export type CodePurpose = 'verification' | 'reset' | 'notification'

type Code = { readonly purpose: CodePurpose; readonly address: string; readonly code_hash: string }

/** Stores the code that is being mailed to an address; earlier ones live until they end. */
export async function saveMailCode(db: Db | Tx, code: Code & { readonly expires_at: UnixSeconds }): Promise<void> {
  await db
    .insertInto('mailed_codes')
    .values(code)
    .onConflict((conflict) => conflict.columns(['purpose', 'address', 'code_hash']).doUpdateSet({ expires_at: code.expires_at }))
    .execute()
}

type Try = Code & { readonly now: UnixSeconds }

/** True if a code is valid now. */
export async function isMailCodeValid(db: Db, { purpose, address, now, code_hash }: Try): Promise<boolean> {
  const row = await db
    .selectFrom('mailed_codes')
    .select('address')
    .where('purpose', '=', purpose)
    .where('address', '=', address)
    .where('code_hash', '=', code_hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Uses a code up, in the transaction of what it allows, and with it all others of the address; false when it is not valid (any more). Of
 * parallel calls one gets true.
 */
export async function useMailCode(tx: Tx, { purpose, address, now, code_hash }: Try): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('mailed_codes')
    .where('purpose', '=', purpose)
    .where('address', '=', address)
    .where('code_hash', '=', code_hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (numDeletedRows !== 1n) return false
  await tx.deleteFrom('mailed_codes').where('purpose', '=', purpose).where('address', '=', address).execute()
  return true
}

export async function removeExpiredCodes(db: Db, now: UnixSeconds): Promise<void> {
  await db.deleteFrom('mailed_codes').where('expires_at', '<=', now).execute()
}
