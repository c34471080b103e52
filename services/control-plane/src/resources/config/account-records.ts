import { AppError } from '@tollgate/contracts/app-error'
import { TokenStatus } from '@tollgate/contracts/enums'
import type { ConfigBudget, ConfigOrganisation, ConfigToken } from '@tollgate/contracts/config-files'
import { hasLimit } from '@tollgate/contracts/relay/limits'
import type { ConfigKind } from '@tollgate/contracts/resources/config'
import type { Tx } from '@tollgate/db/connect'
import { toList } from '@tollgate/db/queries/channels/abilities'
import {
  listBudgetsOfAll,
  listMembersOfAll,
  listNamedOrganisations,
  listNamedTokens,
  listNamedUsers,
  listProjectsOfAll,
  type NamedAccount,
  type NamedMember,
  type NamedProject,
} from '@tollgate/db/queries/tokens/config-accounts'
import type { BudgetOwner, BudgetRow } from '@tollgate/db/queries/tokens/budgets'
import type { TokenRow } from '@tollgate/db/queries/tokens/tokens'
import { recordKey, type ConfigRecord } from '@tollgate/domain/config-plan/plan'
import type { FileEntry } from './read-files.ts'
import { decodeRef, type RecordRef } from '@tollgate/domain/config-plan/record-names'

const ACCOUNT_KINDS = ['organisation', 'project', 'token', 'budget'] as const
export type AccountKind = (typeof ACCOUNT_KINDS)[number]
export const isAccountKind = (kind: ConfigKind): kind is AccountKind => ACCOUNT_KINDS.some((one) => one === kind)

type Named = { readonly kind: ConfigKind; readonly name: string }

/** The accounts that records name, with what belongs to them. */
export type AccountRows = {
  readonly users: ReadonlyMap<string, NamedAccount>
  /** Several may have one name. */
  readonly organisations: ReadonlyMap<string, readonly NamedAccount[]>
  readonly projects: readonly NamedProject[]
  readonly members: readonly NamedMember[]
  readonly tokens: readonly TokenRow[]
  readonly budgets: readonly BudgetRow[]
}

/** Which record a name stands for; undefined: a name that no record has. */
export function refOf({ kind, name }: Named): RecordRef | undefined {
  if (kind === 'organisation') return { account: { kind: 'organisation', name } }
  return isAccountKind(kind) ? decodeRef(name) : undefined
}

/** Reads what the records name. Other accounts, tokens and budgets are not read: an installation may have millions. */
export async function readAccounts(tx: Tx, records: readonly Named[], owners: readonly string[] = []): Promise<AccountRows> {
  const refs = records.map(refOf).filter((ref) => ref !== undefined)
  const named = (kind: RecordRef['account']['kind']): string[] => [
    ...new Set(refs.filter(({ account }) => account.kind === kind).map(({ account }) => account.name)),
  ]
  const users = await listNamedUsers(tx, [...new Set([...named('user'), ...owners])])
  const organisations = await listNamedOrganisations(tx, named('organisation'))
  const ids = organisations.map(({ id }) => id)
  const all = [...ids, ...users.map(({ id }) => id)]
  const tokens = [...new Set(refs.flatMap(({ part }) => (part?.kind === 'token' ? [part.name] : [])))]
  return {
    users: new Map(users.map((user) => [user.name, user])),
    organisations: Map.groupBy(organisations, ({ name }) => name),
    projects: await listProjectsOfAll(tx, ids),
    members: await listMembersOfAll(tx, ids),
    tokens: await listNamedTokens(tx, all, tokens),
    budgets: records.some(({ kind }) => kind === 'budget') ? await listBudgetsOfAll(tx, all) : [],
  }
}

/** Throws when several organisations have the name. */
export function accountOf(rows: Pick<AccountRows, 'users' | 'organisations'>, { account }: RecordRef): NamedAccount | undefined {
  if (account.kind === 'group') return undefined
  if (account.kind === 'user') return rows.users.get(account.name)
  const [found, ...more] = rows.organisations.get(account.name) ?? []
  if (more.length > 0) throw new AppError('config.duplicate-names', { names: account.name })
  return found
}

export const projectOf = (rows: AccountRows, account: NamedAccount, name: string): NamedProject | undefined =>
  rows.projects.find((project) => project.organisation_id === account.id && project.name === name)

/** Throws when the account has several tokens of the name. */
export function tokenOf(rows: Pick<AccountRows, 'tokens'>, account: NamedAccount, name: string): TokenRow | undefined {
  const [found, ...more] = rows.tokens.filter((token) => token.user_id === account.id && token.name === name)
  if (more.length > 0) throw new AppError('config.duplicate-names', { names: `${account.name}: ${name}` })
  return found
}

const NO_OWNER = { user_id: 0, token_id: 0, project_id: 0, member_id: 0, group_name: '' } as const

/** Whose budget a name stands for; undefined: there is no such account, project, member or token. */
export function budgetOwnerOf(rows: AccountRows, ref: RecordRef): BudgetOwner | undefined {
  if (ref.account.kind === 'group') return { ...NO_OWNER, scope: 'group', group_name: ref.account.name }
  const account = accountOf(rows, ref)
  if (account === undefined) return undefined
  const own = { ...NO_OWNER, user_id: account.id }
  const { part } = ref
  if (part === undefined) return { ...own, scope: 'user' }
  const id = {
    project: () => projectOf(rows, account, part.name)?.id,
    member: () => rows.members.find((one) => one.organisation_id === account.id && one.username === part.name)?.user_id,
    token: () => tokenOf(rows, account, part.name)?.id,
  }[part.kind]()
  return id === undefined ? undefined : { ...own, scope: part.kind, [`${part.kind}_id`]: id }
}

export function budgetOf(rows: AccountRows, ref: RecordRef): BudgetRow | undefined {
  const owner = budgetOwnerOf(rows, ref)
  if (owner === undefined) return undefined
  const { scope, user_id, token_id, project_id, member_id, group_name } = owner
  return rows.budgets.find(
    (row) =>
      row.window === ref.window &&
      row.scope === scope &&
      row.user_id === user_id &&
      row.token_id === token_id &&
      row.project_id === project_id &&
      row.member_id === member_id &&
      row.group_name === group_name,
  )
}

/** The record of a name as it is stored; undefined: there is none. */
export function actualAccountRecord(rows: AccountRows, { kind, name }: Named): ConfigRecord | undefined {
  const ref = refOf({ kind, name })
  if (ref === undefined || !isAccountKind(kind)) return undefined
  const fields = fieldsOf(rows, kind, ref)
  return fields === undefined ? undefined : { kind, name, fields, secrets: {} }
}

/** The records of names, each once. A name that stands for several is left out. */
export function actualAccountRecords(rows: AccountRows, records: readonly Named[]): ConfigRecord[] {
  const named = new Map(records.filter(({ kind }) => isAccountKind(kind)).map((record) => [recordKey(record), record]))
  return [...named.values()].flatMap((record) => {
    const found = catchDuplicate(() => actualAccountRecord(rows, record))
    return found === undefined ? [] : [found]
  })
}

function catchDuplicate<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch (error) {
    if (error instanceof AppError && error.code === 'config.duplicate-names') return undefined
    throw error
  }
}

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(rows: AccountRows, kind: AccountKind, ref: RecordRef): Fields | undefined {
  if (kind === 'budget') {
    const row = budgetOf(rows, ref)
    return row === undefined ? undefined : budgetFields(row)
  }
  const account = accountOf(rows, ref)
  if (account === undefined) return undefined
  if (kind === 'organisation') return { group: account.group }
  const { name = '' } = ref.part ?? {}
  if (kind === 'project') return projectOf(rows, account, name) === undefined ? undefined : {}
  const token = tokenOf(rows, account, name)
  return token === undefined ? undefined : tokenFields(rows, token)
}

type BudgetFields = Pick<BudgetRow, 'amount' | 'time_zone' | 'start_day' | 'action' | 'alert_percents'>

export const budgetFields = ({ amount, time_zone, start_day, action, alert_percents }: BudgetFields): Fields => ({
  amount,
  time_zone,
  start_day,
  action,
  alert_percents: [...alert_percents],
})

export function tokenFields({ projects }: Pick<AccountRows, 'projects'>, row: TokenRow): Fields {
  const { project_id, expired_time, unlimited_quota, granted, model_limits_enabled, fallback_models } = row
  return {
    enabled: row.status !== TokenStatus.disabled,
    project: projects.find(({ id }) => id === project_id)?.name ?? null,
    group: row.group,
    models: model_limits_enabled ? toList(row.model_limits) : null,
    quota: unlimited_quota ? null : granted,
    expires_at: expired_time === -1 ? null : timeOf(expired_time),
    allow_ips: row.allow_ips.split('\n').filter((line) => line !== ''),
    limits: row.limits,
    cross_group_retry: row.cross_group_retry,
    fallback_models: fallback_models === null ? null : toList(fallback_models),
    telemetry_content: row.telemetry_content === true,
    receipt_hashes: row.receipt_hashes === true,
  }
}

const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

type AccountEntry = Extract<FileEntry, { readonly kind: AccountKind }>

/** A record as a file wants it. */
export function accountRecord(entry: AccountEntry): ConfigRecord {
  if (entry.kind === 'organisation') return organisationRecord(entry.name, entry.value)
  if (entry.kind === 'token') return tokenRecord(entry.name, entry.value)
  if (entry.kind === 'budget') return budgetRecord(entry.name, entry.value)
  return { kind: 'project', name: entry.name, fields: {}, secrets: {} }
}

const organisationRecord = (name: string, { group }: ConfigOrganisation): ConfigRecord => ({
  kind: 'organisation',
  name,
  fields: { group },
  secrets: {},
})

function tokenRecord(name: string, token: ConfigToken): ConfigRecord {
  const { name: _name, user: _user, organisation: _organisation, key: _key, ...fields } = token
  const { project = null, models = null, quota = null, expires_at, fallback_models = null } = token
  const limits = hasLimit(token.limits) ? token.limits : null
  const expires = expires_at === undefined ? null : timeOf(Date.parse(expires_at) / 1000)
  return { kind: 'token', name, fields: { ...fields, project, models, quota, expires_at: expires, limits, fallback_models }, secrets: {} }
}

const budgetRecord = (name: string, budget: ConfigBudget): ConfigRecord => ({
  kind: 'budget',
  name,
  fields: budgetFields(budget),
  secrets: {},
})
