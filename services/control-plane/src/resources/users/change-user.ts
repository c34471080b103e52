import { AppError } from '@tollgate/contracts/app-error'
import { UserStatus } from '@tollgate/contracts/enums'
import type { AuditChange } from '@tollgate/contracts/resources/audit'
import type { Tx } from '@tollgate/db/connect'
import { appendOutbox } from '@tollgate/db/queries/wallet/outbox'
import { removeUser } from '@tollgate/db/queries/users/user-removal'
import { findOrganisation } from '@tollgate/db/queries/users/organisations'
import { affectsRelays, lockUser, updateUser, type UserPatch, type UserRow } from '@tollgate/db/queries/users/users'
import { isUniqueViolation } from '@tollgate/db/unique-violation'
import { claimBonus } from './bonus-claims.ts'
import { tellOwner } from '../../account-mails.ts'
import { changedFields, recordAudit, type By } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import { syncChanged } from '../../internal/ledger-sync.ts'
import { endAllSessions } from '../../authentication/cookie-sessions.ts'

type ChangeDeps = Pick<Deps, 'db' | 'redis' | 'ledgerRedis' | 'log' | 'now'>
type DeleteDeps = ChangeDeps & Pick<Deps, 'sealers'>

export type UserEdit = {
  /** The new values, decided from the locked row; throws if the change is not allowed. */
  readonly patchOf: (row: UserRow) => UserPatch
  /** Changes that belong to the same transaction, and what the audit log says about them. */
  readonly also?: (tx: Tx, row: UserRow) => Promise<readonly AuditChange[]>
}

/** As `editUser`, for values that do not depend on the row. */
export function changeUser(deps: ChangeDeps, id: number, patch: UserPatch, by?: By): Promise<void> {
  return editUser(deps, id, { patchOf: () => patch }, by)
}

/**
 * The only way to change a user's row: syncs it to Redis, and ends all sessions when the change removes rights or replaces credentials.
 * With `by`, the audit log gets an entry.
 */
export async function editUser(deps: ChangeDeps, id: number, { patchOf, also }: UserEdit, by?: By): Promise<void> {
  const { patch, isSynced } = await deps.db
    .transaction()
    .execute(async (tx) => {
      const row = await lockUser(tx, id)
      if (row === undefined || row.deleted_at !== null) throw new AppError('record.missing')
      const wanted = patchOf(row)
      if (isOfPerson(row, wanted) && (await findOrganisation(tx, id)) !== undefined) throw new AppError('organisations.account')
      await updateUser(tx, { id, patch: wanted })
      const more = (await also?.(tx, row)) ?? []
      const owner = { id, email: row.email }
      if (wanted.password_hash !== undefined) await tellOwner(tx, owner, 'password-changed', nowSeconds(deps))
      if (wanted.email !== undefined && wanted.email !== row.email) await tellOwner(tx, owner, 'email-changed', nowSeconds(deps))
      const changes = [...auditedFields(row, wanted), ...more]
      if (by !== undefined && changes.length > 0) {
        await recordAudit(deps, tx, by, [{ action: 'update', resource: 'user', resource_id: id, changes }])
      }
      if (affectsRelays(wanted)) await appendOutbox(tx, { subject: 'user', subject_id: id, now: nowSeconds(deps) })
      return { patch: wanted, isSynced: affectsRelays(wanted) || more.length > 0 }
    })
    .catch(throwNameTaken)
  if (endsSessions(patch)) await endAllSessions(deps, id)
  if (isSynced) await syncChanged(deps, [{ subject: 'user', id }])
}

/** Deletes an account. Its sessions and tokens end at once; requests that are running are settled as usual. */
export async function deleteUser(
  deps: DeleteDeps,
  id: number,
  { check, also }: { readonly check: (row: UserRow) => void; readonly also?: (tx: Tx) => Promise<void> },
  by: By,
): Promise<UserRow> {
  const row = await deps.db
    .transaction()
    .execute((tx) => deleteUserIn(deps, tx, by, { id, check, ...(also === undefined ? {} : { also }) }))
  await endAllSessions(deps, id)
  await syncChanged(deps, [{ subject: 'user', id }])
  return row
}

type Deletion = { readonly id: number; readonly check: (row: UserRow) => void; readonly also?: (tx: Tx) => Promise<void> }

/** In the transaction of the caller, who ends the sessions and syncs the account after the commit. */
export async function deleteUserIn(
  deps: Pick<DeleteDeps, 'now' | 'sealers'>,
  tx: Tx,
  by: By,
  { id, check, also }: Deletion,
): Promise<UserRow> {
  const found = await lockUser(tx, id)
  if (found === undefined) throw new AppError('users.missing')
  check(found)
  const isNew = await removeUser(tx, id)
  await claimBonus(deps, tx, found)
  await also?.(tx)
  await recordAudit(deps, tx, by, [
    { action: 'delete', resource: 'user', resource_id: id, changes: [{ field: 'username', before: found.username }] },
  ])
  if (isNew) await appendOutbox(tx, { subject: 'user', subject_id: id, now: nowSeconds(deps) })
  return found
}

export function throwNameTaken(error: unknown): never {
  const isTaken = isUniqueViolation(error, 'users_username_key') || isUniqueViolation(error, 'users_username_folded')
  throw isTaken ? new AppError('user.name-taken', {}, { cause: error }) : error
}

/** Passwords and the secrets of a user's setting are listed without values. */
function auditedFields(before: UserRow, { password_hash, setting, ...rest }: UserPatch): AuditChange[] {
  return [
    ...changedFields(before, rest),
    ...(password_hash === undefined ? [] : [{ field: 'password' }]),
    ...(setting === undefined ? [] : [{ field: 'setting' }]),
  ]
}

/** Credentials, addresses and roles: an organisation's account has none, so that it cannot be signed in to. */
function isOfPerson(row: UserRow, { password_hash, ...patch }: UserPatch): boolean {
  const fields = ['username', 'role', 'email', 'github_id', 'oidc_id', 'linux_do_id', 'wechat_id', 'telegram_id'] as const
  return password_hash !== undefined || fields.some((field) => patch[field] !== undefined && patch[field] !== row[field])
}

function endsSessions({ password_hash, role, status }: UserPatch): boolean {
  return password_hash !== undefined || role !== undefined || status === UserStatus.disabled
}
