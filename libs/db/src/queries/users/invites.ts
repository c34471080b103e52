import { sql } from 'kysely'
import type { Quota } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'

/** The invite code of a user: the stored one, or else `code`, which is stored. */
export async function ensureInviteCode(db: Db | Tx, { id, code }: { id: number; code: string }): Promise<string> {
  const { aff_code } = await db
    .updateTable('users')
    .set({ aff_code: sql<string>`coalesce(nullif(aff_code, ''), ${code})` })
    .where('id', '=', id)
    .returning('aff_code')
    .executeTakeFirstOrThrow()
  return aff_code ?? code
}

/** Takes from a user's invite earnings; false when there is less. */
export async function takeInviteQuota(tx: Tx, { id, amount }: { id: number; amount: Quota }): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set((eb) => ({ aff_quota: eb('aff_quota', '-', amount) }))
    .where('id', '=', id)
    .where('aff_quota', '>=', amount)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
