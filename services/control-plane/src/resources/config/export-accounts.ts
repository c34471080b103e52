import { AppError } from '@tollgate/contracts/app-error'
import { MAX_USER_TOKENS } from '@tollgate/contracts/resources/config'
import type { Tx } from '@tollgate/db/connect'
import {
  listBudgetedUsers,
  listBudgetsOfAll,
  listMembersOfAll,
  listNamedOrganisations,
  listNamedTokens,
  listNamedUsers,
  listProjectsOfAll,
  listUserTokens,
  type UserToken,
} from '@tollgate/db/queries/tokens/config-accounts'
import type { BudgetRow } from '@tollgate/db/queries/tokens/budgets'
import { budgetFields, tokenFields } from './account-records.ts'

type Items = Record<string, unknown>[]
export type ExportedAccounts = {
  readonly organisations: Record<string, unknown>
  readonly projects: Items
  readonly tokens: Items
  readonly budgets: Items
}

export type AskedAccounts = { /** Also the tokens of people, and the budgets of these. */ readonly hasUserTokens: boolean }

/**
 * Organisations with their projects, tokens and budgets, and budgets of users and groups. What shares its name with another is left out,
 * because files could not tell them apart.
 */
export async function exportAccounts(tx: Tx, { hasUserTokens }: AskedAccounts): Promise<ExportedAccounts> {
  const organisations = unique(await listNamedOrganisations(tx), ({ name }) => name).filter(({ name }) => name.trim() === name)
  const ids = organisations.map(({ id }) => id)
  const names = new Map(organisations.map(({ id, name }) => [id, name]))
  const projects = await listProjectsOfAll(tx, ids)
  const ofPeople = hasUserTokens ? await readUserTokens(tx) : []
  const tokens = unique([...(await listNamedTokens(tx, ids)), ...ofPeople], ({ user_id, name }) => `${user_id} ${name}`).filter(
    ({ name }) => name !== '',
  )
  const holders = ofPeople.map(({ username }) => username)
  const users = await listNamedUsers(tx, [...new Set([...(await listBudgetedUsers(tx)), ...holders])])
  const owners: Owners = {
    organisations: names,
    users: new Map(users.filter(({ name }) => name.trim() === name).map(({ id, name }) => [id, name])),
    projects: new Map(projects.map(({ id, name }) => [id, name])),
    members: new Map((await listMembersOfAll(tx, ids)).map(({ user_id, username }) => [user_id, username])),
    tokens: new Map(tokens.map(({ id, name }) => [id, name])),
  }
  const budgets = await listBudgetsOfAll(tx, [...ids, ...users.map(({ id }) => id)])
  return {
    organisations: Object.fromEntries(organisations.map(({ name, group }) => [name, { group }])),
    projects: projects.map(({ organisation_id, name }) => ({ organisation: names.get(organisation_id), name })),
    tokens: tokens.flatMap((row) => {
      const owner = accountOf(row.user_id, owners)
      return owner === undefined ? [] : [{ ...owner, name: row.name, ...present(tokenFields({ projects }, row)) }]
    }),
    budgets: budgets.flatMap((row) => {
      const owner = ownerOf(row, owners)
      return owner === undefined ? [] : [{ ...owner, window: row.window, ...budgetFields(row) }]
    }),
  }
}

async function readUserTokens(tx: Tx): Promise<UserToken[]> {
  const rows = await listUserTokens(tx, MAX_USER_TOKENS + 1)
  if (rows.length > MAX_USER_TOKENS) throw new AppError('config.user-tokens', { max: MAX_USER_TOKENS })
  return rows
}

function unique<T>(rows: readonly T[], nameOf: (row: T) => string): T[] {
  return [...Map.groupBy(rows, nameOf).values()].flatMap(([first, ...more]) => (first === undefined || more.length > 0 ? [] : [first]))
}

const present = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))

type Names = ReadonlyMap<number, string>
type Owners = Readonly<Record<'organisations' | 'users' | 'projects' | 'members' | 'tokens', Names>>

/** undefined: its owner is not exported. */
function ownerOf(row: BudgetRow, { organisations, users, ...parts }: Owners): Record<string, string> | undefined {
  if (row.scope === 'group') return { group: row.group_name }
  const account = accountOf(row.user_id, { organisations, users })
  if (account === undefined || row.scope === 'user') return account
  const name = {
    project: parts.projects.get(row.project_id),
    member: parts.members.get(row.member_id),
    token: parts.tokens.get(row.token_id),
  }[row.scope]
  return name === undefined ? undefined : { ...account, [row.scope]: name }
}

/** undefined: the account is not exported. */
function accountOf(id: number, { organisations, users }: Pick<Owners, 'organisations' | 'users'>): Record<string, string> | undefined {
  const organisation = organisations.get(id)
  if (organisation !== undefined) return { organisation }
  const user = users.get(id)
  return user === undefined ? undefined : { user }
}
