import type { Db, Tx } from '../../connect.ts'

/** True if the system was set up. */
export async function isSetUp(db: Db | Tx): Promise<boolean> {
  const row = await db.selectFrom('setups').select('id').executeTakeFirst()
  return row !== undefined
}

/** True if a user with role 100 exists that is not deleted. */
export async function hasRootUser(db: Db | Tx): Promise<boolean> {
  const row = await db.selectFrom('users').select('id').where('role', '=', 100).where('deleted_at', 'is', null).limit(1).executeTakeFirst()
  return row !== undefined
}

/** Marks the system as set up; false when another call did so first. */
export async function createSetup(tx: Tx, input: { readonly version: string; readonly initialized_at: number }): Promise<boolean> {
  const rows = await tx
    .insertInto('setups')
    .values(input)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  return rows.length === 1
}
