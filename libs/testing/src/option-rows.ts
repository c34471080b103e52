import type { Db } from '@tollgate/db/connect'

/** Stores the text of an option, whether it had one or not. */
export async function storeOption(db: Db, key: string, value: string): Promise<void> {
  await db
    .insertInto('options')
    .values({ key, value, updated_at: 1, updated_by: 1 })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

/** The stored value of an option whose text is JSON. */
export async function storedOption(db: Db, key: string): Promise<unknown> {
  const row = await db.selectFrom('options').select('value').where('key', '=', key).executeTakeFirstOrThrow()
  return JSON.parse(row.value)
}
