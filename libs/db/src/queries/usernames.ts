import type { Db, Tx } from '../connect.ts'

/** Names of these users, including deleted ones. */
export async function listUsernames(db: Db | Tx, ids: readonly number[]): Promise<Map<number, string>> {
  const wanted = [...new Set(ids)].filter((id) => id > 0)
  if (wanted.length === 0) return new Map()
  const rows = await db.selectFrom('users').select(['id', 'username']).where('id', 'in', wanted).execute()
  return new Map(rows.map((row) => [row.id, row.username]))
}

/** The user, deleted or not, that has this name now. */
export async function findUserIdByName(db: Db | Tx, username: string): Promise<number | undefined> {
  const row = await db.selectFrom('users').select('id').where('username', '=', username).executeTakeFirst()
  return row?.id
}
