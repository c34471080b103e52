import { Role, UserStatus } from '@tollgate/contracts/enums'
import type { User } from '@tollgate/contracts/resources/users'
import type { Tone } from '@tollgate/domain/display/tone'
import type { StoredUser } from '../../lib/storage.ts'

/** Set by other consoles of this API; ours never does. */
const BLOCKED = 3

type StatusLook = { readonly tone: Tone; readonly text: 'deleted' | 'enabled' | 'disabled' | 'unknown' }

export function statusOf({ status, DeletedAt }: Pick<User, 'status' | 'DeletedAt'>): StatusLook {
  if (DeletedAt !== null) return { tone: 'grey', text: 'deleted' }
  if (status === UserStatus.enabled) return { tone: 'green', text: 'enabled' }
  return status === UserStatus.disabled ? { tone: 'red', text: 'disabled' } : { tone: 'grey', text: 'unknown' }
}

export function roleOf({ role }: Pick<User, 'role'>): 'user' | 'admin' | 'root' | 'unknown' {
  if (role === Role.user) return 'user'
  if (role === Role.admin) return 'admin'
  return role === Role.root ? 'root' : 'unknown'
}

/** An organisation's account, by the user name that the server gives it. */
export const isOrganisation = ({ username }: Pick<User, 'username'>): boolean => username.startsWith('org-')

/** The server's rule of rank: root manages everyone, others those below them. */
export function mayManage(viewer: Pick<StoredUser, 'role'> | undefined, target: Pick<User, 'role' | 'DeletedAt'>): boolean {
  return viewer !== undefined && target.DeletedAt === null && (viewer.role >= Role.root || viewer.role > target.role)
}

export type RowAction = 'promote' | 'demote' | 'disable' | 'enable' | 'delete'

/** Actions for an account; the server refuses everything else. */
export function actionsOn(viewer: Pick<StoredUser, 'role'> | undefined, user: User): readonly RowAction[] {
  if (!mayManage(viewer, user) || user.role >= Role.root) return []
  const isRoot = (viewer?.role ?? 0) >= Role.root
  return [
    ...(isRoot && user.role < Role.admin ? (['promote'] as const) : []),
    ...(user.role >= Role.admin ? (['demote'] as const) : []),
    ...(user.status === UserStatus.enabled ? (['disable'] as const) : user.status === BLOCKED ? [] : (['enable'] as const)),
    'delete',
  ]
}

/** Accounts at third parties and the e-mail that are bound. */
export const BINDINGS = ['email', 'github_id', 'oidc_id', 'wechat_id', 'telegram_id', 'linux_do_id'] as const
