import { AppError } from '@tollgate/contracts/app-error'
import { UserStatus } from '@tollgate/contracts/enums'
import type { User } from '@tollgate/contracts/resources/users'
import { findAccount, findUser } from '@tollgate/db/queries/users'
import type { Actor } from '@tollgate/http/actor'
import type { Context } from 'hono'
import { recordAudit } from '../../audit.ts'
import type { Deps } from '../../deps.ts'
import { endView, startView } from '../../sessions/views.ts'
import { mayManage } from './policy.ts'
import { toSignedInUser } from './present.ts'

type ViewCall = { readonly c: Context; readonly actor: Actor; readonly ip: string }

/** Shows the console of an account that the caller may manage. */
export async function viewAs(deps: Deps, { c, actor, ip }: ViewCall, id: number): Promise<User> {
  const [row, account] = await Promise.all([findUser(deps.db, id), findAccount(deps.db, id)])
  if (row === undefined || account === undefined || row.deleted_at !== null) throw new AppError('record.missing')
  if (id === actor.id || !mayManage(actor, row)) throw new AppError('user.above')
  if (row.status !== UserStatus.enabled) throw new AppError('user.disabled')
  await record(deps, { actor, ip }, { action: 'view', id })
  await startView(deps, c, actor, account)
  return toSignedInUser(row)
}

export async function endViewAs(deps: Deps, { c, actor, ip }: ViewCall): Promise<User> {
  const account = await endView(deps, c)
  if (account === undefined) throw new AppError('guard.anonymous')
  await record(deps, { actor: account, ip }, { action: 'view-end', id: actor.id })
  const row = await findUser(deps.db, account.id)
  if (row === undefined) throw new AppError('record.missing')
  return toSignedInUser(row)
}

type By = { readonly actor: Pick<Actor, 'id' | 'username' | 'role'>; readonly ip: string }

function record(deps: Deps, by: By, { action, id }: { readonly action: string; readonly id: number }): Promise<void> {
  const entry = { action, resource: 'user', resource_id: id } as const
  return deps.db.transaction().execute((tx) => recordAudit(deps, tx, by, [entry]))
}
