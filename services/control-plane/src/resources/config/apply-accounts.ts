import { AppError } from '@tollgate/contracts/app-error'
import { TokenStatus } from '@tollgate/contracts/enums'
import { hasLimit } from '@tollgate/contracts/relay/limits'
import type { ConfigToken } from '@tollgate/contracts/config-files'
import { MAX_PROJECTS } from '@tollgate/contracts/resources/organisations'
import type { Tx } from '@tollgate/db/connect'
import type { NamedAccount } from '@tollgate/db/queries/tokens/config-accounts'
import { countProjectTokens, createProject, removeProject } from '@tollgate/db/queries/tokens/projects'
import type { BudgetOwner, BudgetRow } from '@tollgate/db/queries/tokens/budgets'
import { lockToken, removeToken, updateToken, type TokenFields, type TokenRow } from '@tollgate/db/queries/tokens/tokens'
import { updateUser } from '@tollgate/db/queries/users/users'
import { appendOutbox } from '@tollgate/db/queries/wallet/outbox'
import { recordKey, type PlannedChange } from '@tollgate/domain/config-plan/plan'
import type { RecordRef } from '@tollgate/domain/config-plan/record-names'
import { changedFields, recordAudit, type Audited, type By } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import type { Changed } from '../../internal/ledger-sync.ts'
import { addBudgetIn, changeBudgetIn, lockOwner, noteOwner, removeBudgetIn } from '../budgets/write.ts'
import { createOrganisationAccount } from '../organisations/found.ts'
import { checkOrganisationName } from '../organisations/names.ts'
import { toUsableGroups } from '../self/usable-groups.ts'
import { addTokenQuota, insertToken } from '../tokens/service.ts'
import { checkAllowIps, checkExpiry, checkFallbacks, checkGroup, checkModelLimits, checkName, checkNewStatus } from '../tokens/policy.ts'
import { deleteUserIn } from '../users/change-user.ts'
import {
  accountOf,
  budgetOf,
  budgetOwnerOf,
  isAccountKind,
  projectOf,
  readAccounts,
  refOf,
  tokenOf,
  type AccountRows,
} from './account-records.ts'
import type { FileEntry } from './read-files.ts'
import type { Desired } from './read-state.ts'

/** The work that follows the commit. */
export type AppliedAccounts = {
  readonly changed: readonly Changed[]
  /** Organisations that were deleted. */
  readonly ended: readonly number[]
  readonly keys: readonly { readonly name: string; readonly key: string }[]
  readonly hasGroupBudgets: boolean
}

type Step = {
  readonly deps: Deps
  readonly tx: Tx
  readonly by: By
  readonly rows: AccountRows
  readonly ref: RecordRef
  readonly change: PlannedChange
  readonly entry: FileEntry | undefined
  readonly done: Done
}
type Done = {
  readonly changed: Changed[]
  readonly ended: number[]
  readonly keys: { name: string; key: string }[]
  hasGroupBudgets: boolean
}

/** Budgets go first, so that an owner with the most that it may have gets others. What contains others is made before and removed after them. */
const ORDER = [
  ['budget', 'remove'],
  ['organisation', 'set'],
  ['project', 'set'],
  ['token', 'set'],
  ['budget', 'set'],
  ['token', 'remove'],
  ['project', 'remove'],
  ['organisation', 'remove'],
] as const

type Work = {
  readonly changes: readonly PlannedChange[]
  readonly desired: ReadonlyMap<string, Desired>
  /** Runs one change; a refusal names the place of its record. */
  readonly attempt: <T>(entry: FileEntry | undefined, run: () => Promise<T>) => Promise<T>
}

/** Makes the changes of organisations, projects, tokens and budgets, with the checks and audit entries of the console. */
export async function applyAccounts(deps: Deps, tx: Tx, by: By, { changes, desired, attempt }: Work): Promise<AppliedAccounts> {
  const done: Done = { changed: [], ended: [], keys: [], hasGroupBudgets: false }
  const own = changes.filter(({ kind }) => isAccountKind(kind))
  const owners = own.flatMap((change) => ownerIn(desired.get(recordKey(change))?.entry))
  for (const [kind, action] of ORDER) {
    const ofStep = own.filter((change) => change.kind === kind && (change.action === 'remove') === (action === 'remove'))
    if (ofStep.length === 0) continue
    // What an earlier step made is there by now.
    const rows = await readAccounts(tx, own, owners)
    for (const change of ofStep) {
      const entry = desired.get(recordKey(change))?.entry
      const ref = refOf(change)
      if (ref === undefined) throw new Error(`${change.kind} ${change.name} is no name of a record`)
      await attempt(entry, () => STEPS[kind]({ deps, tx, by, rows, ref, change, entry, done }))
    }
  }
  return done
}

const ownerIn = (entry: FileEntry | undefined): string[] =>
  entry?.kind === 'organisation' && entry.value.owner !== undefined ? [entry.value.owner] : []

const STEPS = { organisation: applyOrganisation, project: applyProject, token: applyToken, budget: applyBudget }

const missing = (what: string): AppError => new AppError('config.unknown-record', { record: what })

function requireAccount({ rows, ref }: Step): NamedAccount {
  const account = accountOf(rows, ref)
  if (account === undefined) throw missing(`${ref.account.kind} ${ref.account.name}`)
  return account
}

async function audit({ deps, tx, by }: Step, entry: Audited): Promise<void> {
  await recordAudit(deps, tx, by, [entry])
}

async function note({ deps, tx, done }: Step, subject: Changed['subject'], id: number): Promise<void> {
  await appendOutbox(tx, { subject, subject_id: id, now: nowSeconds(deps) })
  done.changed.push({ subject, id })
}

async function applyOrganisation(step: Step): Promise<void> {
  const { deps, tx, by, rows, ref, entry, change, done } = step
  const account = accountOf(rows, ref)
  if (entry?.kind !== 'organisation') {
    const { id, balance } = requireAccount(step)
    // Money does not disappear because a line was deleted.
    if (balance > 0) throw new AppError('config.organisation-used', { name: change.name })
    await deleteUserIn(deps, tx, by, { id, check: () => undefined })
    done.ended.push(id)
    done.changed.push({ subject: 'user', id })
    return
  }
  const { group, owner } = entry.value
  if (!Object.hasOwn((await deps.options.all(tx)).GroupRatio, group)) throw missing(`group ${group}`)
  if (account !== undefined) {
    await updateUser(tx, { id: account.id, patch: { group } })
    await audit(step, { action: 'update', resource: 'organisation', resource_id: account.id, changes: changedFields(account, { group }) })
    return await note(step, 'user', account.id)
  }
  const person = owner === undefined ? undefined : rows.users.get(owner)
  if (person === undefined) throw missing(owner === undefined ? 'owner of a new organisation' : `user ${owner}`)
  const name = checkOrganisationName(change.name)
  const id = await createOrganisationAccount(deps, tx, by, { name, group, owner: person.id })
  done.changed.push({ subject: 'user', id })
}

async function applyProject(step: Step): Promise<void> {
  const { deps, tx, rows, ref, entry } = step
  const account = requireAccount(step)
  const name = ref.part?.name ?? ''
  if (entry !== undefined) {
    const checked = checkOrganisationName(name)
    if (rows.projects.filter(({ organisation_id }) => organisation_id === account.id).length >= MAX_PROJECTS)
      throw new AppError('organisations.projects', { count: MAX_PROJECTS })
    const id = await createProject(tx, { organisation_id: account.id, name: checked, created_at: nowSeconds(deps) })
    return await audit(step, { action: 'create', resource: 'project', resource_id: id, changes: [{ field: 'name', after: checked }] })
  }
  const project = projectOf(rows, account, name)
  if (project === undefined) throw missing(`project ${name}`)
  const count = await countProjectTokens(tx, project.id)
  if (count > 0) throw new AppError('organisations.project-used', { count })
  await removeProject(tx, { id: project.id, organisation_id: account.id, now: nowSeconds(deps) })
  await audit(step, { action: 'delete', resource: 'project', resource_id: project.id, changes: [{ field: 'name', before: name }] })
}

async function applyToken(step: Step): Promise<void> {
  const { deps, tx, rows, ref, entry, change, done } = step
  const account = requireAccount(step)
  const found = tokenOf(rows, account, ref.part?.name ?? '')
  if (entry?.kind !== 'token') {
    if (found === undefined) throw missing(change.name)
    await removeToken(tx, { id: found.id, user_id: account.id })
    await audit(step, { action: 'delete', resource: 'token', resource_id: found.id, changes: [{ field: 'name', before: found.name }] })
    return await note(step, 'token', found.id)
  }
  const { value } = entry
  const fields = await toTokenFields(step, account, { value, before: found })
  if (found !== undefined) return await changeToken(step, { account, value, fields, id: found.id })
  const { id, key } = await insertToken(deps, tx, {
    owner: account,
    actor_id: step.by.actor.id,
    fields: { ...fields, name: checkName(value.name) },
    quota: value.quota ?? 0,
  })
  if (!value.enabled) await updateToken(tx, { id, user_id: account.id, patch: { status: TokenStatus.disabled } })
  await audit(step, { action: 'create', resource: 'token', resource_id: id, changes: [{ field: 'name', after: value.name }] })
  done.keys.push({ name: change.name, key: `sk-${key}` })
}

type Changing = {
  readonly account: NamedAccount
  readonly value: ConfigToken
  readonly fields: Omit<TokenFields, 'name'> & { readonly project_id: number | null }
  readonly id: number
}

async function changeToken(step: Step, { account, value, fields, id }: Changing): Promise<void> {
  const { deps, tx, by } = step
  const row = await lockToken(tx, { id, user_id: account.id })
  if (row === undefined) throw missing(value.name)
  const added = value.quota === undefined ? 0 : value.quota - row.granted
  const remain_quota = row.granted + added - row.charged
  const isEnabled = row.status !== TokenStatus.disabled
  const wanted = value.enabled ? TokenStatus.enabled : TokenStatus.disabled
  const status =
    value.enabled === isEnabled ? {} : { status: checkNewStatus(wanted, { ...row, ...fields, remain_quota }, nowSeconds(deps)) }
  await updateToken(tx, { id, user_id: account.id, patch: { ...fields, ...status } })
  await addTokenQuota(deps, tx, { id, amount: added, actor_id: by.actor.id })
  const changes = changedFields({ ...row }, { ...fields, ...status, ...(added === 0 ? {} : { granted: row.granted + added }) })
  await audit(step, { action: 'update', resource: 'token', resource_id: id, changes })
  await note(step, 'token', id)
}

type TokenInput = { readonly value: ConfigToken; readonly before: TokenRow | undefined }

async function toTokenFields(
  { deps, tx, rows }: Step,
  account: NamedAccount,
  { value, before }: TokenInput,
): Promise<Omit<TokenFields, 'name'> & { readonly project_id: number | null }> {
  const usable = toUsableGroups(await deps.options.all(tx), account.group)
  const expired_time = value.expires_at === undefined ? -1 : Date.parse(value.expires_at) / 1000
  const project = value.project === undefined ? undefined : projectOf(rows, account, value.project)
  if (value.project !== undefined && project === undefined) throw missing(`project ${value.project}`)
  return {
    // A stored time may have passed, and a stored group may be closed by now.
    expired_time: expired_time === before?.expired_time ? expired_time : checkExpiry(expired_time, nowSeconds(deps)),
    group: value.group === before?.group ? value.group : checkGroup(value.group, usable),
    unlimited_quota: value.quota === undefined,
    model_limits_enabled: value.models !== undefined,
    model_limits: checkModelLimits((value.models ?? []).join(',')),
    allow_ips: checkAllowIps(value.allow_ips.join('\n')),
    limits: hasLimit(value.limits) ? value.limits : null,
    cross_group_retry: value.cross_group_retry,
    fallback_models: checkFallbacks(value.fallback_models === undefined ? null : value.fallback_models.join(',')),
    telemetry_content: value.telemetry_content,
    receipt_hashes: value.receipt_hashes,
    project_id: project?.id ?? null,
  }
}

async function applyBudget(step: Step): Promise<void> {
  const { deps, tx, rows, ref, change, done } = step
  const owner = budgetOwnerOf(rows, ref)
  if (owner === undefined) throw missing(change.name)
  if (owner.scope === 'group' && !Object.hasOwn((await deps.options.all(tx)).GroupRatio, owner.group_name))
    throw missing(`group ${owner.group_name}`)
  await lockOwner(tx, owner)
  const before = budgetOf(rows, ref)
  await setBudget(step, { owner, before })
  if (owner.scope === 'group') done.hasGroupBudgets = true
  else done.changed.push(await noteOwner(deps, tx, owner))
}

type Setting = { readonly owner: BudgetOwner; readonly before: BudgetRow | undefined }

async function setBudget({ deps, tx, by, entry }: Step, { owner, before }: Setting): Promise<void> {
  const wanted = entry?.kind === 'budget' ? entry.value : undefined
  const isKept = before?.time_zone === wanted?.time_zone && before?.start_day === wanted?.start_day
  if (wanted !== undefined && before !== undefined && isKept) {
    const { amount, action, alert_percents } = wanted
    return await changeBudgetIn(deps, tx, by, { owner, row: before, patch: { amount, action, alert_percents } })
  }
  // Windows of another calendar are counted from their own beginning.
  if (before !== undefined) await removeBudgetIn(deps, tx, by, { owner, row: before })
  if (wanted === undefined) return
  const { amount, window, time_zone, start_day, action, alert_percents } = wanted
  await addBudgetIn(deps, tx, by, { owner, input: { amount, window, time_zone, start_day, action, alert_percents } })
}
