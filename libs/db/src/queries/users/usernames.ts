import type { Db, Tx } from '../../connect.ts'

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

/** The most names that a part of one stands for. */
const MAX_FOUND = 100

/** The users with this name, or else those whose name has it as a part; the first by name, deleted ones included. */
export async function listUserIdsNamed(db: Db | Tx, text: string): Promise<number[]> {
  const exact = await findUserIdByName(db, text)
  if (exact !== undefined) return [exact]
  const found = db.selectFrom('users').select('id').where('username', 'ilike', likePart(text)).orderBy('username').limit(MAX_FOUND)
  return (await found.execute()).map(({ id }) => id)
}

/** This name if a token has it, or else the names that have it as a part; of one owner's tokens, or of all. */
export async function listTokenNames(db: Db | Tx, text: string, owner: number | undefined): Promise<string[]> {
  let tokens = db.selectFrom('tokens').select('name').distinct().orderBy('name').limit(MAX_FOUND)
  if (owner !== undefined) tokens = tokens.where('user_id', '=', owner)
  const exact = await tokens.where('name', '=', text).execute()
  const found = exact.length > 0 ? exact : await tokens.where('name', 'ilike', likePart(text)).execute()
  // A deleted token is in no list, but its requests have its name.
  return found.length === 0 ? [text] : found.map(({ name }) => name)
}

const likePart = (text: string): string => `%${text.replaceAll(/[\\_%]/g, (character) => `\\${character}`)}%`
