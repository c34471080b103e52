import { sql } from 'kysely'
import type { Db, Tx } from '../../connect.ts'
import { escapeLike } from '../../like.ts'
import { SHOWN_OF_USER, type UserRow } from './users.ts'

export type UserFilter = {
  /** Part of the name, display name or e-mail, with literal wildcards; or an id. Empty: no filter. */
  readonly keyword: string
  /** Empty: all groups. */
  readonly group: string
}
type Page = { readonly limit: number; readonly offset: number }

/** One page of users, newest first, deleted ones included, and how many match. Rows are read for the page only. */
export async function listUsers(
  db: Db | Tx,
  { limit, offset, ...filter }: UserFilter & Page,
): Promise<{ items: UserRow[]; total: number }> {
  // A keyword reads the whole table, so it is looked for once. Without one, indexes count and find the page.
  const rows = await db
    .with(
      (cte) => (filter.keyword === '' ? cte('matches').notMaterialized() : cte('matches').materialized()),
      () => select(db, filter),
    )
    .selectFrom((eb) => eb.selectFrom('matches').select(eb.fn.countAll<number>().as('total')).as('counted'))
    .leftJoin(
      (eb) => eb.selectFrom('matches').select('id').orderBy('id', 'desc').limit(limit).offset(offset).as('page'),
      (join) => join.onTrue(),
    )
    .select(['total', 'id'])
    .execute()
  const ids = rows.flatMap(({ id }) => id ?? [])
  const items =
    ids.length === 0 ? [] : await db.selectFrom('users').select(SHOWN_OF_USER).where('id', 'in', ids).orderBy('id', 'desc').execute()
  return { items, total: rows[0]?.total ?? 0 }
}

function select(db: Db | Tx, { keyword, group }: UserFilter) {
  const id = /^\d{1,15}$/.test(keyword) ? Number(keyword) : undefined
  return db
    .selectFrom('users')
    .select('id')
    .$if(keyword !== '', (query) =>
      query.where((eb) =>
        eb.or([
          eb('search_text', 'like', sql<string>`lower(${`%${escapeLike(keyword)}%`})`),
          ...(id === undefined ? [] : [eb('id', '=', id)]),
        ]),
      ),
    )
    .$if(group !== '', (query) => query.where(sql.ref('group'), '=', group))
}
