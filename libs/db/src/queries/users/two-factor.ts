import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'

export type TwoFactorRow = { readonly secret_sealed: string; readonly is_on: boolean }

export function findTwoFactor(db: Db | Tx, userId: number): Promise<TwoFactorRow | undefined> {
  return db.selectFrom('two_factor').select(['secret_sealed', 'is_on']).where('user_id', '=', userId).executeTakeFirst()
}

/** Stores a secret that does not count yet; false when two-step verification is on. */
export async function startTwoFactor(db: Db | Tx, row: { user_id: number; secret_sealed: string; now: UnixSeconds }): Promise<boolean> {
  const { user_id, secret_sealed, now } = row
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('two_factor')
    .values({ user_id, secret_sealed, created_at: now })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ secret_sealed, created_at: now, last_step: 0 }).where('two_factor.is_on', '=', false),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Accepts the code of a time step once: false for this step and all before it from now on. With `turnsOn` the secret counts. */
export async function takeTotpStep(
  db: Db | Tx,
  { user_id, step, turnsOn }: { user_id: number; step: number; turnsOn: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('two_factor')
    .set({ last_step: step, is_on: true })
    .where('user_id', '=', user_id)
    .where('is_on', '=', !turnsOn)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function replaceRecoveryCodes(tx: Tx, userId: number, hashes: readonly string[]): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash })))
    .execute()
}

/** Uses a recovery code up; false when the user has no such code. */
export async function takeRecoveryCode(db: Db | Tx, userId: number, hash: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export async function countRecoveryCodes(db: Db | Tx, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function removeTwoFactor(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('two_factor').where('user_id', '=', userId).execute()
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
}
