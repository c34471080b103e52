import { randomUUID } from 'node:crypto'
import { AppError } from '@tollgate/contracts/app-error'
import { hasLimit } from '@tollgate/contracts/relay/limits'
import type { NewToken, OpenWork, Token, TokenChange } from '@tollgate/contracts/resources/tokens'
import type { UsableGroups } from '@tollgate/contracts/resources/self'
import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import type { Tx } from '@tollgate/db/connect'
import { countOpenWork } from '@tollgate/db/queries/tokens/open-work'
import { appendOutbox } from '@tollgate/db/queries/wallet/outbox'
import {
  addGranted,
  countTokens,
  createToken,
  createTokenGrant,
  findToken,
  listTokens,
  lockToken,
  removeToken,
  searchTokens,
  updateToken,
  type TokenFields,
  type TokenRow,
} from '@tollgate/db/queries/tokens/tokens'
import { findProjectName } from '@tollgate/db/queries/tokens/projects'
import { lockOrganisation } from '@tollgate/db/queries/users/organisations'
import { hasRight, managesAllTokens } from '@tollgate/domain/access/rights'
import type { AuditChange } from '@tollgate/contracts/resources/audit'
import type { Actor } from '@tollgate/http/actor'
import { findQuotaEditBaseline, rememberQuotaEditBaseline } from '@tollgate/redis/stores/quota-edit-baseline'
import { changedFields, recordAudit, type By } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import { syncChanged } from '../../internal/ledger-sync.ts'
import { ownEdits } from '../../own-edits.ts'
import { usableGroups } from '../self/usable-groups.ts'
import { createKey, openKey, READABLE } from './key.ts'
import {
  checkAllowIps,
  checkExpiry,
  checkFallbacks,
  checkGroup,
  checkModelLimits,
  checkName,
  checkNewStatus,
  checkQuota,
} from './policy.ts'
import { toToken } from './present.ts'
import { marksOf } from '../../managed.ts'

/** A call for the caller's account, or of a member for an organisation. */
type TokenCall = By & { readonly actor: Actor }

const PAGE_DEFAULT = 10
const PAGE_MAX = 100

export async function listOwnTokens(deps: Deps, actor: Actor, { p, size }: { p: number; size: number }): Promise<Token[]> {
  const limit = size <= 0 ? PAGE_DEFAULT : Math.min(size, PAGE_MAX)
  const offset = Math.min(Math.max(p, 0) * limit, Number.MAX_SAFE_INTEGER)
  return show(deps, actor, await listTokens(deps.db, { user_id: actor.id, limit, offset }))
}

export async function countOwnTokens(deps: Deps, actor: Actor): Promise<{ total: number }> {
  return { total: await countTokens(deps.db, actor.id) }
}

export async function searchOwnTokens(deps: Deps, actor: Actor, query: { keyword: string; token: string }): Promise<Token[]> {
  const text = query.token.trim().replace(/^sk-/, '')
  const key = text === '' ? undefined : { head: text.slice(0, READABLE), tail: text.slice(-READABLE) }
  const rows = await searchTokens(deps.db, { user_id: actor.id, keyword: query.keyword, key, limit: PAGE_MAX })
  // The database stores four characters of each end; a longer search text is compared with the opened key.
  return (await show(deps, actor, rows)).filter((token) => token.key.startsWith(text) || token.key.endsWith(text))
}

export async function getOwnToken(deps: Deps, actor: Actor, id: number): Promise<Token> {
  const row = await findToken(deps.db, { id, user_id: actor.id })
  if (row === undefined) throw new AppError('record.missing')
  const [token] = await show(deps, actor, [row])
  if (token === undefined) throw new AppError('record.missing')
  return token
}

export async function createOwnToken(deps: Deps, by: TokenCall, body: NewToken): Promise<undefined> {
  const { actor } = by
  await createTokenOf(deps, { owner: actor, actor_id: actor.member?.id ?? actor.id, by }, body)
}

type Making = {
  readonly owner: Pick<Actor, 'id' | 'group'>
  readonly actor_id: number
  /** The member of an organisation who makes it, for the audit log. */
  readonly by?: TokenCall
  /** Further changes of its transaction. */
  readonly also?: (tx: Tx, token: Made) => Promise<void>
}
type Made = { readonly id: number; readonly name: string; readonly key: string }

/** Creates a token of an account, by its owner or another. */
export async function createTokenOf(deps: Deps, { owner, actor_id, by, also }: Making, body: NewToken): Promise<Made> {
  const quota = checkQuota(body.remain_quota)
  const fields: TokenFields = {
    name: checkName(body.name),
    expired_time: checkExpiry(body.expired_time, nowSeconds(deps)),
    unlimited_quota: body.unlimited_quota,
    model_limits_enabled: body.model_limits_enabled,
    model_limits: checkModelLimits(body.model_limits),
    allow_ips: checkAllowIps(body.allow_ips ?? ''),
    group: checkGroup(body.group, await usableGroups(deps, owner.group)),
    limits: hasLimit(body.limits) ? body.limits : null,
    cross_group_retry: body.cross_group_retry,
    fallback_models: checkFallbacks(body.fallback_models ?? null),
    telemetry_content: body.telemetry_content,
    receipt_hashes: body.receipt_hashes,
  }
  return await deps.db.transaction().execute(async (tx) => {
    const member = by?.actor.member
    const of = member === undefined ? {} : { created_by: member.id, project_id: await checkProject(tx, owner, body.project_id ?? 0) }
    const made = await insertToken(deps, tx, { owner, actor_id, fields: { ...fields, ...of }, quota })
    await also?.(tx, made)
    if (by !== undefined)
      await auditOfMember(deps, tx, by, { action: 'create', id: made.id, changes: [{ field: 'name', after: made.name }] })
    return made
  })
}

type Inserted = Pick<Making, 'actor_id'> & {
  readonly owner: Pick<Actor, 'id'>
  readonly fields: TokenFields & { readonly created_by?: number; readonly project_id?: number | null }
  readonly quota: Quota
}

/** Makes a token with a new key in the transaction of the caller, with fields that were checked. */
export async function insertToken(
  deps: Pick<Deps, 'now' | 'sealers'>,
  tx: Tx,
  { owner, actor_id, fields, quota }: Inserted,
): Promise<Made> {
  const now = nowSeconds(deps)
  const stored = createKey(deps.sealers.options)
  const id = await createToken(tx, { ...fields, ...stored, user_id: owner.id, created_time: now })
  await grant(tx, { token_id: id, kind: 'create', amount: quota, reference: `token:${id}`, actor_id, now })
  return { id, name: fields.name, key: openKey(stored, deps.sealers.options) }
}

/** Gives a token quota, or takes it. */
export async function addTokenQuota(
  deps: Pick<Deps, 'now'>,
  tx: Tx,
  { id, amount, actor_id }: { readonly id: number; readonly amount: Quota; readonly actor_id: number },
): Promise<void> {
  await grant(tx, { token_id: id, kind: 'edit', amount, reference: `token:${id}:${randomUUID()}`, actor_id, now: nowSeconds(deps) })
}

export async function setOwnTokenStatus(deps: Deps, by: TokenCall, { id, status }: TokenChange): Promise<Token> {
  const { actor } = by
  const now = nowSeconds(deps)
  await changeToken(deps, by, id, async (tx, row) => {
    const next = checkNewStatus(status ?? 0, { ...row, remain_quota: row.granted - row.charged }, now)
    await updateToken(tx, { id, user_id: actor.id, patch: { status: next } })
    await auditOfMember(deps, tx, by, { action: 'update', id, changes: changedFields({ status: row.status }, { status: next }) })
  })
  return getOwnToken(deps, actor, id)
}

/**
 * Sets the fields that were sent. `remain_quota` is what remains afterwards, unless the call comes from a form: then it is booked as the
 * difference to what the form showed, so that quota spent since it was opened stays spent.
 */
export async function updateOwnToken(deps: Deps, by: TokenCall, body: TokenChange): Promise<Token> {
  const { actor } = by
  const now = nowSeconds(deps)
  const usable = await usableGroups(deps, actor.group)
  const isForm = body.form_id !== undefined || (actor.session_hash !== undefined && body.name !== undefined)
  const shown = isForm ? await findQuotaEditBaseline(deps.redis, { kind: 'token', viewer: viewerOf(actor), id: body.id }) : undefined
  await changeToken(deps, by, body.id, async (tx, row) => {
    const project =
      body.project_id === undefined || actor.member === undefined ? {} : { project_id: await checkProject(tx, actor, body.project_id) }
    const patch = { ...toPatch(ownEdits(body, shownOf(row)), row, { usable, now }), ...project }
    await updateToken(tx, { id: row.id, user_id: actor.id, patch })
    await auditOfMember(deps, tx, by, { action: 'update', id: row.id, changes: changedFields({ ...row }, { ...patch }) })
    const amount = amountOf(body, shown ?? row.granted - row.charged)
    await grant(tx, { token_id: row.id, kind: 'edit', amount, reference: referenceOf(body), actor_id: actor.member?.id ?? actor.id, now })
  })
  return getOwnToken(deps, actor, body.id)
}

export async function getOpenWork(deps: Deps, actor: Actor, id: number): Promise<OpenWork> {
  await getOwnToken(deps, actor, id)
  return await countOpenWork(deps.db, { id, user_id: actor.id })
}

/** Returns how much open work the token had; with `ask` such a token is not deleted. */
export async function removeOwnToken(
  deps: Deps,
  by: TokenCall,
  { id, confirm }: { readonly id: number; readonly confirm: '' | 'ask' | 'yes' },
): Promise<number> {
  const { actor } = by
  let count = 0
  await changeToken(deps, by, id, async (tx, row) => {
    const { tasks, batches, responses } = await countOpenWork(tx, { id, user_id: actor.id })
    count = tasks + batches + responses
    if (confirm === 'ask' && count > 0) throw new AppError('tokens.open-work', { count }, { console: 200 })
    await removeToken(tx, { id, user_id: actor.id })
    await auditOfMember(deps, tx, by, { action: 'delete', id, changes: [{ field: 'name', before: row.name }] })
  })
  return count
}

/** Changes one own token: locked, recorded in the outbox, synced to Redis after commit. */
async function changeToken(deps: Deps, { actor }: TokenCall, id: number, change: (tx: Tx, row: TokenRow) => Promise<void>): Promise<void> {
  if (id <= 0) throw new AppError('tokens.id-missing')
  await deps.db.transaction().execute(async (tx) => {
    const row = await lockToken(tx, { id, user_id: actor.id })
    if (row === undefined) throw new AppError('record.missing')
    if (!mayChange(actor, row)) throw new AppError('organisations.others-token')
    await change(tx, row)
    await appendOutbox(tx, { subject: 'token', subject_id: id, now: nowSeconds(deps) })
  })
  await syncChanged(deps, [{ subject: 'token', id }])
}

function toPatch(
  body: TokenChange,
  row: TokenRow,
  { usable, now }: { readonly usable: UsableGroups; readonly now: UnixSeconds },
): Partial<TokenFields> {
  return {
    // One that was allowed before can be sent back.
    ...(body.name === undefined || body.name === row.name ? {} : { name: checkName(body.name) }),
    // A console sends the whole row back, also that of a token that has expired.
    ...(body.expired_time === undefined || body.expired_time === row.expired_time
      ? {}
      : { expired_time: checkExpiry(body.expired_time, now) }),
    ...(body.unlimited_quota === undefined ? {} : { unlimited_quota: body.unlimited_quota }),
    ...(body.model_limits_enabled === undefined ? {} : { model_limits_enabled: body.model_limits_enabled }),
    ...(body.model_limits === undefined ? {} : { model_limits: checkModelLimits(body.model_limits) }),
    ...(body.limits === undefined ? {} : { limits: hasLimit(body.limits) ? body.limits : null }),
    ...(body.cross_group_retry === undefined ? {} : { cross_group_retry: body.cross_group_retry }),
    ...(body.fallback_models === undefined ? {} : { fallback_models: checkFallbacks(body.fallback_models) }),
    ...(body.telemetry_content === undefined ? {} : { telemetry_content: body.telemetry_content }),
    ...(body.receipt_hashes === undefined ? {} : { receipt_hashes: body.receipt_hashes }),
    ...(body.allow_ips === undefined ? {} : { allow_ips: checkAllowIps(body.allow_ips ?? '') }),
    // A token keeps a group that was closed later, so that its other fields can be edited.
    ...(body.group === undefined || body.group === row.group ? {} : { group: checkGroup(body.group, usable) }),
  }
}

/** A row as a form shows it, without amounts, which have rules of their own. */
const shownOf = ({
  name,
  expired_time,
  unlimited_quota,
  model_limits_enabled,
  model_limits,
  allow_ips,
  group,
  cross_group_retry,
  fallback_models,
  telemetry_content,
  receipt_hashes,
  limits,
}: TokenRow) => ({
  name,
  expired_time,
  unlimited_quota,
  model_limits_enabled,
  model_limits,
  allow_ips,
  group,
  cross_group_retry,
  fallback_models,
  telemetry_content: telemetry_content === true,
  receipt_hashes: receipt_hashes === true,
  limits,
})

/** The new quota minus what its form showed, or else the current value. */
function amountOf(body: TokenChange, base: Quota): Quota {
  if (body.remain_quota === undefined) return 0
  const amount = body.remain_quota - (body.remain_quota_before ?? base)
  if (amount !== 0) checkQuota(body.remain_quota)
  return amount
}

/** A form carries an id, so that a double click adds one grant. */
function referenceOf({ id, form_id }: TokenChange): string {
  return `token:${id}:${form_id ?? randomUUID()}`
}

async function grant(tx: Tx, wanted: Parameters<typeof createTokenGrant>[1]): Promise<void> {
  if (wanted.amount === 0) return
  if (await createTokenGrant(tx, wanted)) await addGranted(tx, wanted)
}

async function show(deps: Deps, actor: Actor, rows: readonly TokenRow[]): Promise<Token[]> {
  const now = nowSeconds(deps)
  const marks = await marksOf(deps.db, { kind: 'token', account_id: actor.id }, rows)
  const shown = rows.map((row, at) => {
    const isOwn = mayChange(actor, row)
    const view = { sealer: deps.sealers.options, now, isMasked: actor.viewed_by !== undefined || !isOwn }
    const token = { ...toToken(row, view), ...marks[at] }
    if (actor.member === undefined) return token
    return { ...token, project_id: row.project_id ?? 0, created_by: row.created_by ?? 0, is_own: isOwn }
  })
  await rememberQuotaEditBaseline(deps.redis, {
    kind: 'token',
    viewer: viewerOf(actor),
    shown: shown.map(({ id, remain_quota }) => ({ id, quota: remain_quota })),
  })
  return shown
}

/** An owner may change every token; of an organisation's, a developer those that he made. */
function mayChange({ member }: Actor, row: Pick<TokenRow, 'created_by'>): boolean {
  if (member === undefined || managesAllTokens(member.role)) return true
  return row.created_by === member.id && hasRight(member.role, 'tokens.write')
}

/** The project of an organisation's token; null: none. Its row is locked, so that it is not removed meanwhile. */
async function checkProject(tx: Tx, { id }: Pick<Actor, 'id'>, project_id: number): Promise<number | null> {
  if (project_id === 0) return null
  await lockOrganisation(tx, id)
  if ((await findProjectName(tx, { id: project_id, organisation_id: id })) === undefined) throw new AppError('organisations.project')
  return project_id
}

type TokenAudit = { readonly action: string; readonly id: number; readonly changes: readonly AuditChange[] }

/** Members' changes of tokens are in the audit log of their organisation; a person's own tokens have no entry. */
async function auditOfMember(deps: Deps, tx: Tx, by: TokenCall, { action, id, changes }: TokenAudit): Promise<void> {
  if (by.actor.member === undefined || changes.length === 0) return
  await recordAudit(deps, tx, by, [{ action, resource: 'token', resource_id: id, changes }])
}

/** Identifies who saw a quota: a session, or a user's access token. */
function viewerOf(actor: Actor): string {
  return actor.session_hash ?? `user-${actor.id}`
}
