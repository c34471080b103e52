import { sql, type Selectable } from 'kysely'
import type { Db, Tx } from '../../connect.ts'
import type { Database } from '../../schema.ts'
import type { AccountRow } from './users.ts'

/** The columns with identities at third parties; each has a unique index that includes deleted users. */
export type BindingColumn = 'github_id' | 'oidc_id' | 'linux_do_id' | 'wechat_id' | 'telegram_id'

export type BoundAccount = AccountRow & Pick<Selectable<Database['users']>, 'display_name' | 'deleted_at'>

/** The user, deleted or not, whose account has this identity. */
export function findAccountByBinding(db: Db | Tx, column: BindingColumn, identity: string): Promise<BoundAccount | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'password_hash', 'role', 'status', 'group', 'display_name', 'deleted_at'])
    .where(column, '=', identity)
    .where(column, '<>', '')
    .executeTakeFirst()
}

/** True if a user who is not deleted has this address. */
export async function isEmailTaken(db: Db | Tx, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where(sql<boolean>`email <> ''`)
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** The id that follows the highest one, for the names of accounts that have none. */
export async function getNextUserId(db: Db | Tx): Promise<number> {
  const { next } = await db
    .selectFrom('users')
    .select((eb) => sql<number>`coalesce(${eb.fn.max('id')}, 0) + 1`.as('next'))
    .executeTakeFirstOrThrow()
  return next
}

export type SignInMethods = Pick<Selectable<Database['users']>, 'password_hash' | 'email' | BindingColumn>

/** The sign-in methods of a user; locks the row, so that two removals cannot each leave the other as the last one. */
export function lockSignInMethods(tx: Tx, id: number): Promise<SignInMethods | undefined> {
  return tx
    .selectFrom('users')
    .select(['password_hash', 'email', 'github_id', 'oidc_id', 'linux_do_id', 'wechat_id', 'telegram_id'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}
