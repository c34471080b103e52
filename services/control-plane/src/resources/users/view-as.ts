import { AppError } from '@tollgate/contracts/app-error'
import { UserStatus } from '@tollgate/contracts/enums'
import type { User } from '@tollgate/contracts/resources/users'
import { deleteView } from '@tollgate/db/queries/users/account-views'
import { findAccount, findUser } from '@tollgate/db/queries/users/users'
import type { Actor } from '@tollgate/http/actor'
import type { Context } from 'hono'
import { recordAudit, type Audited } from '../../audit.ts'
import type { Deps } from '../../deps.ts'
import { endView, startView } from '../../authentication/views.ts'
import { mayManage } from './policy.ts'
import { toSignedInUser } from './present.ts'

type ViewCall = { readonly c: Context; readonly actor: Actor; readonly ip: string }

/** Shows the console of an account that the caller may manage. */
export async function viewAs(deps: Deps, { c, actor, ip }: ViewCall, id: number): Promise<User> {
  const [row, account] = await Promise.all([findUser(deps.db, id), findAccount(deps.db, id)])
  if (row === undefined || account === undefined || row.deleted_at !== null) throw new AppError('record.missing')
  if (id === actor.id || !mayManage(actor, row)) throw new AppError('user.above')
  if (row.status !== UserStatus.enabled) throw new AppError('user.disabled')
  await deps.db.transaction().execute(async (tx) => {
    await recordAudit(deps, tx, { actor, ip }, [entryOf('view', id)])
    await startView(deps, tx, { c, actor }, account)
  })
  return toSignedInUser(row)
}

export async function endViewAs(deps: Deps, { c, actor, ip }: ViewCall): Promise<User> {
  const ended = await endView(deps, c)
  if (ended === undefined) throw new AppError('guard.anonymous')
  const { id_hash, account } = ended
  await deps.db.transaction().execute(async (tx) => {
    // The worker enters the end of a view whose time is over.
    if (await deleteView(tx, id_hash)) await recordAudit(deps, tx, { actor: account, ip }, [entryOf('view-end', actor.id)])
  })
  const row = await findUser(deps.db, account.id)
  if (row === undefined) throw new AppError('record.missing')
  return toSignedInUser(row)
}

const entryOf = (action: 'view' | 'view-end', id: number): Audited => ({ action, resource: 'user', resource_id: id })
