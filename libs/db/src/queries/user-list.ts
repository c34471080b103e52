import { sql } from 'kysely'
import type { Db, Tx } from '../connect.ts'
import { escapeLike } from '../like.ts'
import { SHOWN_OF_USER, type UserRow } from './users.ts'

export type UserFilter = {
  /** Part of the name, display name or e-mail, with literal wildcards; or an id. Empty: no filter. */
  readonly keyword: string
  /** Empty: all groups. */
  readonly group: string
}
type Page = { readonly limit: number; readonly offset: number }

/** One page of users, newest first, deleted ones included, and how many match. */
export async function listUsers(
  db: Db | Tx,
  { limit, offset, ...filter }: UserFilter & Page,
): Promise<{ items: UserRow[]; total: number }> {
  const items = await select(db, filter).select(SHOWN_OF_USER).orderBy('id', 'desc').limit(limit).offset(offset).execute()
  const { total } = await select(db, filter)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { items, total }
}

function select(db: Db | Tx, { keyword, group }: UserFilter) {
  const like = `%${escapeLike(keyword)}%`
  const id = /^\d{1,15}$/.test(keyword) ? Number(keyword) : undefined
  return db
    .selectFrom('users')
    .$if(keyword !== '', (query) =>
      query.where((eb) =>
        eb.or([
          eb('username', 'ilike', like),
          eb('display_name', 'ilike', like),
          eb('email', 'ilike', like),
          ...(id === undefined ? [] : [eb('id', '=', id)]),
        ]),
      ),
    )
    .$if(group !== '', (query) => query.where(sql.ref('group'), '=', group))
}
