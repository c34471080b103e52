import type { Db, Tx } from '@tollgate/db/connect'
import { findManagedNames, hasManaged } from '@tollgate/db/queries/installation/managed-records'
import type { BudgetRow } from '@tollgate/db/queries/tokens/budgets'
import { listNamedOrganisations } from '@tollgate/db/queries/tokens/config-accounts'
import { findOrganisation } from '@tollgate/db/queries/users/organisations'
import { findUser } from '@tollgate/db/queries/users/users'
import { encodeRef, type RecordRef } from '@tollgate/domain/config-plan/record-names'

/** Marks a record that files of configuration manage. */
export type Managed = { readonly is_managed?: true }

const MARK: Managed = { is_managed: true }
const NO_MARK: Managed = {}

type Part = Pick<RecordRef, 'part' | 'window'>
type Account = RecordRef['account']

/** The marks of an account's tokens or projects, in their order. */
export async function marksOf(
  db: Db | Tx,
  { kind, account_id }: { readonly kind: 'token' | 'project'; readonly account_id: number },
  rows: readonly { readonly name: string }[],
): Promise<Managed[]> {
  const parts = rows.map(({ name }): Part => ({ part: { kind, name } }))
  return await marksOfParts(db, kind, account_id, parts)
}

/** The marks of an account's budgets, in their order; those of groups are among them. `name`: of the token, project or member. */
export async function marksOfBudgets(
  db: Db | Tx,
  account_id: number,
  rows: readonly (Pick<BudgetRow, 'scope' | 'window' | 'group_name'> & { readonly name: string })[],
): Promise<Managed[]> {
  const parts = rows.map(({ scope, window, group_name, name }) => {
    if (scope === 'group') return { account: { kind: 'group', name: group_name } as const, window }
    return scope === 'user' ? { window } : { part: { kind: scope, name } as const, window }
  })
  return await marksOfParts(db, 'budget', account_id, parts)
}

/** The marks of organisations, in their order. */
export async function marksOfOrganisations(db: Db | Tx, rows: readonly { readonly name: string }[]): Promise<Managed[]> {
  const managed = await findManagedNames(db, 'organisation', [...new Set(rows.map(({ name }) => name))])
  const named = Map.groupBy(await listNamedOrganisations(db, [...managed]), ({ name }) => name)
  return rows.map(({ name }) => (named.get(name)?.length === 1 ? MARK : NO_MARK))
}

async function marksOfParts(
  db: Db | Tx,
  kind: 'token' | 'project' | 'budget',
  account_id: number,
  parts: readonly (Part & { readonly account?: Account })[],
): Promise<Managed[]> {
  if (parts.length === 0 || !(await hasManaged(db, kind))) return parts.map(() => NO_MARK)
  const own = await accountOf(db, account_id)
  const names = parts.map(({ account = own, ...part }) => (account === undefined ? '' : encodeRef({ account, ...part })))
  const managed = await findManagedNames(db, kind, names)
  return names.map((name) => (managed.has(name) ? MARK : NO_MARK))
}

/** undefined: files cannot name the account, because other organisations have its name. */
async function accountOf(db: Db | Tx, id: number): Promise<Account | undefined> {
  const organisation = await findOrganisation(db, id)
  if (organisation === undefined) {
    const user = await findUser(db, id)
    return user === undefined ? undefined : { kind: 'user', name: user.username }
  }
  const { name } = organisation
  return (await listNamedOrganisations(db, [name])).length === 1 ? { kind: 'organisation', name } : undefined
}
