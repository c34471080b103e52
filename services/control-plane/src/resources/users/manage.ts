import { AppError } from '@tollgate/contracts/app-error'
import { Role, UserStatus } from '@tollgate/contracts/enums'
import { MANAGE_ACTIONS, type User } from '@tollgate/contracts/resources/users'
import { eraseUser } from '@tollgate/db/queries/users/user-removal'
import type { UserPatch, UserRow } from '@tollgate/db/queries/users/users'
import type { Actor } from '@tollgate/http/actor'
import { requireProof } from '@tollgate/http/admit'
import type { Deps } from '../../deps.ts'
import { deleteUser, editUser } from './change-user.ts'
import { mayManage } from './policy.ts'
import { toManaged } from './present.ts'
import type { AdminCall } from './write.ts'

type Asked = { readonly id: number; readonly action: string }

/** Promotes, demotes, enables, disables or deletes a user; the answer has the role and status that hold from now on. */
export async function manageUser(deps: Deps, by: AdminCall, { id, action }: Asked): Promise<User> {
  const known = MANAGE_ACTIONS.find((one) => one === action)
  if (known === undefined || id <= 0) throw new AppError(known === undefined ? 'params.invalid' : 'users.missing')
  if (known === 'delete') {
    const check = (row: UserRow): void => {
      if (row.deleted_at !== null) throw new AppError('users.missing')
      checkRank(by.actor, row)
      if (row.role === Role.root) throw new AppError('users.remove-root')
    }
    return toManaged(await deleteUser(deps, id, { check }, by))
  }
  if (known === 'promote') requireProof(by.actor, deps.now())
  let after: Pick<UserRow, 'role' | 'status'> = { role: 0, status: 0 }
  const patchOf = (row: UserRow): UserPatch => {
    checkRank(by.actor, row)
    const patch = PATCHES[known](by.actor, row)
    after = { role: row.role, status: row.status, ...patch }
    return patch
  }
  await editUser(deps, id, { patchOf }, by).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'record.missing' ? new AppError('users.missing', {}, { cause: error }) : error
  })
  return toManaged(after)
}

/** Deletes an account for good: nothing is left that identifies a person, and its names are free again (ADR 47). */
export async function eraseUserByAdmin(deps: Deps, by: AdminCall, id: number): Promise<void> {
  if (id === 0) throw new AppError('id.blank')
  const check = (row: UserRow): void => {
    if (!mayManage(by.actor, row)) throw new AppError('users.remove-above')
    if (row.role === Role.root) throw new AppError('users.remove-root')
  }
  await deleteUser(deps, id, { check, also: (tx) => eraseUser(tx, id) }, by)
}

function checkRank(actor: Actor, row: UserRow): void {
  if (!mayManage(actor, row)) throw new AppError('users.above')
}

type ManagedFields = { readonly role?: number; readonly status?: number }

const PATCHES: Readonly<Record<'promote' | 'demote' | 'enable' | 'disable', (actor: Actor, row: UserRow) => ManagedFields>> = {
  promote: (actor, row) => {
    if (actor.role !== Role.root) throw new AppError('users.promote')
    if (row.role >= Role.admin) throw new AppError('users.is-admin')
    return { role: Role.admin }
  },
  demote: (_actor, row) => {
    if (row.role === Role.root) throw new AppError('users.demote-root')
    if (row.role === Role.user) throw new AppError('users.is-common')
    return { role: Role.user }
  },
  enable: () => ({ status: UserStatus.enabled }),
  disable: (_actor, row) => {
    if (row.role === Role.root) throw new AppError('users.disable-root')
    return { status: UserStatus.disabled }
  },
}
