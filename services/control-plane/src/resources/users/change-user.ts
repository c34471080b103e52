import { AppError } from '@tollgate/contracts/app-error'
import { UserStatus } from '@tollgate/contracts/enums'
import type { AuditChange } from '@tollgate/contracts/resources/audit'
import { appendOutbox } from '@tollgate/db/queries/outbox'
import { affectsRelays, findUser, updateUser, type UserPatch, type UserRow } from '@tollgate/db/queries/users'
import { isUniqueViolation } from '@tollgate/db/unique-violation'
import { changedFields, recordAudit, type By } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import { syncChanged } from '../../internal/ledger-sync.ts'
import { endAllSessions } from '../../sessions/sessions.ts'

/**
 * The only way to change a user's row: syncs it to Redis, and ends all sessions when the change removes rights or replaces credentials.
 * With `by`, the audit log gets an entry.
 */
export async function changeUser(deps: Pick<Deps, 'db' | 'redis' | 'log' | 'now'>, id: number, patch: UserPatch, by?: By): Promise<void> {
  try {
    await deps.db.transaction().execute(async (tx) => {
      const before = by === undefined ? undefined : await findUser(tx, id)
      if (by !== undefined && before !== undefined) {
        await recordAudit(deps, tx, by, [{ action: 'update', resource: 'user', resource_id: id, changes: auditedFields(before, patch) }])
      }
      if (!(await updateUser(tx, { id, patch }))) throw new AppError('record.missing')
      if (affectsRelays(patch)) await appendOutbox(tx, { subject: 'user', subject_id: id, now: nowSeconds(deps) })
    })
  } catch (error) {
    const isTaken = isUniqueViolation(error, 'users_username_key') || isUniqueViolation(error, 'users_username_folded')
    throw isTaken ? new AppError('user.name-taken', {}, { cause: error }) : error
  }
  if (endsSessions(patch)) await endAllSessions(deps, id)
  if (affectsRelays(patch)) await syncChanged(deps, [{ subject: 'user', id }])
}

/** Passwords and the secrets of a user's setting are listed without values. */
function auditedFields(before: UserRow, { password_hash, setting, ...rest }: UserPatch): AuditChange[] {
  return [
    ...changedFields(before, rest),
    ...(password_hash === undefined ? [] : [{ field: 'password' }]),
    ...(setting === undefined ? [] : [{ field: 'setting' }]),
  ]
}

function endsSessions({ password_hash, role, status }: UserPatch): boolean {
  return password_hash !== undefined || role !== undefined || status === UserStatus.disabled
}
