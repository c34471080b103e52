import type { Quota } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'
import { BUDGET_COLUMNS, type BudgetRow } from './budgets.ts'
import { isListed, SHOWN_OF_TOKEN, type TokenRow } from './tokens.ts'

/** An account by the name that files give it: a user's own, or an organisation's. */
export type NamedAccount = { readonly id: number; readonly name: string; readonly group: string; readonly balance: Quota }

/** People by user name; accounts of organisations have other names. */
export async function listNamedUsers(db: Db | Tx, names: readonly string[]): Promise<NamedAccount[]> {
  if (names.length === 0) return []
  return await db
    .selectFrom('users')
    .select(({ eb }) => ['users.id', 'username as name', 'group', eb('credited', '-', eb.ref('spent')).$castTo<number>().as('balance')])
    .where('username', 'in', names)
    .where('deleted_at', 'is', null)
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('organisations as o').select('o.id').whereRef('o.id', '=', 'users.id'))))
    .execute()
}

/** Organisations by name, which several may share; without names, all. */
export async function listNamedOrganisations(db: Db | Tx, names?: readonly string[]): Promise<NamedAccount[]> {
  if (names?.length === 0) return []
  return await db
    .selectFrom('organisations as o')
    .innerJoin('users as u', 'u.id', 'o.id')
    .select(({ eb }) => ['o.id', 'o.name', 'u.group', eb('u.credited', '-', eb.ref('u.spent')).$castTo<number>().as('balance')])
    .where('u.deleted_at', 'is', null)
    .$if(names !== undefined, (query) => query.where('o.name', 'in', names ?? []))
    .orderBy('o.id')
    .execute()
}

export type NamedProject = { readonly id: number; readonly organisation_id: number; readonly name: string }

export async function listProjectsOfAll(db: Db | Tx, organisationIds: readonly number[]): Promise<NamedProject[]> {
  if (organisationIds.length === 0) return []
  return await db
    .selectFrom('projects')
    .select(['id', 'organisation_id', 'name'])
    .where('organisation_id', 'in', organisationIds)
    .where('removed_at', '=', 0)
    .orderBy('id')
    .execute()
}

export type NamedMember = { readonly organisation_id: number; readonly user_id: number; readonly username: string }

export async function listMembersOfAll(db: Db | Tx, organisationIds: readonly number[]): Promise<NamedMember[]> {
  if (organisationIds.length === 0) return []
  return await db
    .selectFrom('organisation_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['m.organisation_id', 'm.user_id', 'u.username'])
    .where('m.organisation_id', 'in', organisationIds)
    .execute()
}

/** Tokens of accounts; without names, all of them. */
export async function listNamedTokens(db: Db | Tx, userIds: readonly number[], names?: readonly string[]): Promise<TokenRow[]> {
  if (userIds.length === 0 || names?.length === 0) return []
  return await db
    .selectFrom('tokens')
    .select(SHOWN_OF_TOKEN)
    .where('user_id', 'in', userIds)
    .where('deleted_at', 'is', null)
    .where(isListed)
    .$if(names !== undefined, (query) => query.where('name', 'in', names ?? []))
    .orderBy('id')
    .execute()
}

/** Budgets of accounts with their projects, members and tokens, and of groups. */
export async function listBudgetsOfAll(db: Db | Tx, userIds: readonly number[]): Promise<BudgetRow[]> {
  return await db
    .selectFrom('budgets')
    .select(BUDGET_COLUMNS)
    .where('deleted_at', 'is', null)
    .where(({ eb, or }) => or([eb('scope', '=', 'group'), ...(userIds.length === 0 ? [] : [eb('user_id', 'in', userIds)])]))
    .orderBy('id')
    .$castTo<BudgetRow>()
    .execute()
}

/** People who have a budget of their own. */
export async function listBudgetedUsers(db: Db | Tx): Promise<string[]> {
  const rows = await db
    .selectFrom('users as u')
    .select('u.username')
    .where('u.deleted_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('budgets as b')
          .select('b.id')
          .whereRef('b.user_id', '=', 'u.id')
          .where('b.scope', '=', 'user')
          .where('b.deleted_at', 'is', null),
      ),
    )
    .orderBy('u.id')
    .execute()
  return rows.map(({ username }) => username)
}

export type UserToken = TokenRow & { readonly username: string }

/** Tokens of people, at most `limit`, the oldest first. */
export async function listUserTokens(db: Db | Tx, limit: number): Promise<UserToken[]> {
  return await db
    .selectFrom('tokens')
    .innerJoin('users as u', 'u.id', 'tokens.user_id')
    .select(SHOWN_OF_TOKEN.map((column) => `tokens.${column}` as const))
    .select('u.username')
    .where('tokens.deleted_at', 'is', null)
    .where('u.deleted_at', 'is', null)
    .where(isListed)
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('organisations as o').select('o.id').whereRef('o.id', '=', 'u.id'))))
    .orderBy('tokens.id')
    .limit(limit)
    .execute()
}
