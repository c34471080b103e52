import { AppError } from '@tollgate/contracts/app-error'
import { UserStatus } from '@tollgate/contracts/enums'
import { appendOutbox } from '@tollgate/db/queries/outbox'
import { affectsRelays, updateUser, type UserPatch } from '@tollgate/db/queries/users'
import { isUniqueViolation } from '@tollgate/db/unique-violation'
import { nowSeconds, type Deps } from '../../deps.ts'
import { syncChanged } from '../../internal/ledger-sync.ts'
import { endAllSessions } from '../../sessions/sessions.ts'

/**
 * The only way to change a user's row: syncs it to Redis, and ends all sessions when the change removes rights or replaces credentials.
 */
export async function changeUser(deps: Pick<Deps, 'db' | 'redis' | 'log' | 'now'>, id: number, patch: UserPatch): Promise<void> {
  try {
    await deps.db.transaction().execute(async (tx) => {
      if (!(await updateUser(tx, { id, patch }))) throw new AppError('record.missing')
      if (affectsRelays(patch)) await appendOutbox(tx, { subject: 'user', subject_id: id, now: nowSeconds(deps) })
    })
  } catch (error) {
    throw isUniqueViolation(error, 'users_username_key') ? new AppError('user.name-taken', {}, { cause: error }) : error
  }
  if (endsSessions(patch)) await endAllSessions(deps, id)
  if (affectsRelays(patch)) await syncChanged(deps, [{ subject: 'user', id }])
}

function endsSessions({ password_hash, role, status }: UserPatch): boolean {
  return password_hash !== undefined || role !== undefined || status === UserStatus.disabled
}
