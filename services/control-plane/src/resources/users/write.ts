import { randomUUID } from 'node:crypto'
import { AppError } from '@tollgate/contracts/app-error'
import { LogType, Role } from '@tollgate/contracts/enums'
import { hasLimit, type Limits } from '@tollgate/contracts/relay/limits'
import type { AuditChange } from '@tollgate/contracts/resources/audit'
import type { NewUser, QuotaAdjustment, User, UserChange } from '@tollgate/contracts/resources/users'
import type { Quota } from '@tollgate/contracts/units'
import type { Tx } from '@tollgate/db/connect'
import { appendAccountLog } from '@tollgate/db/queries/logs/account-log'
import { isUsernameTaken, type UserPatch, type UserRow } from '@tollgate/db/queries/users/users'
import { creditWallet } from '@tollgate/db/queries/wallet/wallet'
import { accountLogQuota } from '@tollgate/domain/display/account-log-text'
import type { QuotaStyle } from '@tollgate/domain/display/quota-text'
import type { Actor } from '@tollgate/http/actor'
import { requireProof } from '@tollgate/http/admit'
import { findQuotaEditBaseline } from '@tollgate/redis/stores/quota-edit-baseline'
import { recordAudit, type By } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import { ownEdits } from '../../own-edits.ts'
import { syncChanged } from '../../internal/ledger-sync.ts'
import { hashPassword } from '../../authentication/passwords.ts'
import { editUser, throwNameTaken } from './change-user.ts'
import { createAccount } from './create-account.ts'
import { checkDisplayName, checkPassword, checkUsername, mayManage } from './policy.ts'
import { getUser, viewerOf } from './read.ts'
import { quotaStyle } from './quota-style.ts'

export type AdminCall = By & { readonly actor: Actor }

/** Creates an ordinary user with the site's opening balance. */
export async function createUserByAdmin(deps: Deps, by: AdminCall, body: NewUser): Promise<void> {
  if (body.username.trim() === '' || body.password === '') throw new AppError('params.invalid')
  const username = checkUsername(body.username)
  checkPassword(body.password)
  const display_name = checkDisplayName(body.display_name ?? '')
  if ((body.role ?? 0) >= by.actor.role) throw new AppError('users.create-above')
  if (await isUsernameTaken(deps.db, { username, except: 0 })) throw new AppError('user.name-taken')
  const password_hash = await hashPassword(body.password)
  const id = await deps.db
    .transaction()
    .execute(async (tx) => {
      const created = await createAccount(deps, tx, {
        username,
        password_hash,
        display_name: display_name === '' ? username : display_name,
      })
      await recordAudit(deps, tx, by, [
        { action: 'create', resource: 'user', resource_id: created, changes: [{ field: 'username', after: username }] },
      ])
      return created
    })
    .catch(throwNameTaken)
  await syncChanged(deps, [{ subject: 'user', id }])
}

/**
 * Sets the fields that were sent. `quota` is the balance afterwards, unless the call comes from a form: then it is booked as the difference
 * to what the form showed, so that what was spent since it was opened stays spent.
 */
export async function updateUserByAdmin(deps: Deps, by: AdminCall, body: UserChange): Promise<User> {
  const { actor } = by
  if (body.id <= 0) throw new AppError('params.invalid')
  const isForm = body.form_id !== undefined || (actor.session_hash !== undefined && body.username !== undefined)
  const shown = isForm ? await findQuotaEditBaseline(deps.redis, { kind: 'user', viewer: viewerOf(actor), id: body.id }) : undefined
  // A new password is a way in to the account.
  if (!isBlank(body.password)) requireProof(actor, deps.now())
  const password_hash = isBlank(body.password) ? undefined : await hashPassword(checkPassword(body.password ?? ''))
  const groups = await deps.options.get('GroupRatio')
  const style = await quotaStyle(deps)
  await editUser(
    deps,
    body.id,
    {
      patchOf: (row) => {
        if (!mayManage(actor, row)) throw new AppError('users.above')
        if (actor.role !== Role.root && (body.role ?? 0) >= actor.role) throw new AppError('users.raise')
        return {
          ...toPatch(
            ownEdits(body, { username: row.username, display_name: row.display_name, group: row.group, role: row.role }),
            row,
            groups,
          ),
          ...(password_hash === undefined ? {} : { password_hash }),
        }
      },
      also: async (tx, row) => {
        if (body.quota === undefined) return []
        const amount = body.quota - (body.quota_before ?? shown ?? row.credited - row.spent)
        if (amount !== 0 && body.quota < 0) throw new AppError('users.quota')
        return await recordQuotaChange(deps, tx, { row, amount, reason: '', reference: referenceOf(body), by, style })
      },
    },
    by,
  ).catch(throwUserMissing)
  return getUser(deps, actor, body.id)
}

/** Adds to or takes from a balance. */
export async function adjustUserQuota(deps: Deps, by: AdminCall, body: QuotaAdjustment): Promise<User> {
  const { amount } = body
  const reason = body.reason.trim()
  if (body.id <= 0) throw new AppError('params.invalid')
  if (amount === 0) throw new AppError('users.quota-amount')
  if (reason === '') throw new AppError('users.quota-reason')
  const style = await quotaStyle(deps)
  await editUser(
    deps,
    body.id,
    {
      patchOf: (row) => {
        if (!mayManage(by.actor, row)) throw new AppError('users.above')
        if (amount < 0 && row.credited - row.spent + amount < 0) throw new AppError('users.quota')
        return {}
      },
      also: (tx, row) => recordQuotaChange(deps, tx, { row, amount, reason, reference: referenceOf(body), by, style }),
    },
    by,
  ).catch(throwUserMissing)
  return getUser(deps, by.actor, body.id)
}

export async function setUserLimits(deps: Deps, by: AdminCall, { id, limits }: { id: number; limits: Limits | null }): Promise<User> {
  await editUser(
    deps,
    id,
    {
      patchOf: (row) => {
        if (!mayManage(by.actor, row)) throw new AppError('users.above')
        return { limits: hasLimit(limits) ? limits : null }
      },
    },
    by,
  )
  return getUser(deps, by.actor, id)
}

type Booking = {
  readonly row: UserRow
  readonly amount: Quota
  readonly reason: string
  readonly reference: string
  readonly by: By
  readonly style: QuotaStyle
}

/** A wallet entry, the log row that existing consoles show, and the change for the audit log. */
async function recordQuotaChange(deps: Deps, tx: Tx, { row, amount, reason, reference, by, style }: Booking): Promise<AuditChange[]> {
  if (amount === 0) return []
  const now = nowSeconds(deps)
  const booked = await creditWallet(tx, { user_id: row.id, kind: 'admin', amount, reference, actor: by.actor.id, note: reason, now })
  if (booked === 'known') return []
  const before = row.credited - row.spent
  const content = `管理员将用户额度从 ${accountLogQuota(before, style)}修改为 ${accountLogQuota(before + amount, style)}`
  await appendAccountLog(tx, { type: LogType.admin, user_id: row.id, username: row.username, content, now })
  return [
    { field: 'quota', before: String(before), after: String(before + amount) },
    ...(reason === '' ? [] : [{ field: 'reason', after: reason }]),
  ]
}

/** A form carries an id, so that a double click books once. */
function referenceOf({ id, form_id }: { readonly id: number; readonly form_id?: string | undefined }): string {
  return `user:${id}:${form_id ?? randomUUID()}`
}

function toPatch(body: UserChange, row: UserRow, groups: Readonly<Record<string, unknown>>): UserPatch {
  const { username, display_name, group } = body
  // Values that were not edited are kept even if they break a rule: accounts of third-party sign-in may have longer names.
  return {
    ...(username === undefined || username === row.username ? {} : { username: checkUsername(username) }),
    ...(display_name === undefined || display_name === row.display_name ? {} : { display_name: checkDisplayName(display_name) }),
    ...(group === undefined || group === row.group ? {} : { group: checkGroup(group, groups) }),
  }
}

function checkGroup(group: string, groups: Readonly<Record<string, unknown>>): string {
  if (!Object.hasOwn(groups, group)) throw new AppError('users.group', { group })
  return group
}

function throwUserMissing(error: unknown): never {
  throw error instanceof AppError && error.code === 'record.missing' ? new AppError('users.missing', {}, { cause: error }) : error
}

const isBlank = (text: string | undefined): boolean => text === undefined || text.trim() === ''
