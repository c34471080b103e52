import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../connect.ts'
import type { Database } from '../../schema.ts'

/** A view of the console as a user that has not ended; times in Unix seconds. */
export type AccountView = Selectable<Database['account_views']>

export async function createView(tx: Tx, view: AccountView): Promise<void> {
  await tx.insertInto('account_views').values(view).execute()
}

export function listViews(db: Db): Promise<AccountView[]> {
  return db.selectFrom('account_views').selectAll().orderBy('started_at').orderBy('id_hash').execute()
}

/** True if this call ended the view of the session with this hash: it does so once. */
export async function deleteView(tx: Tx, id_hash: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('account_views').where('id_hash', '=', id_hash).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
