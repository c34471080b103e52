import type { User } from '@tollgate/contracts/resources/users'
import type { UserRow } from '@tollgate/db/queries/users/users'
import { shownSetting } from './shown-setting.ts'

/** Fields that are always empty, and the values of fields that a call leaves out of a partial User. */
const EMPTY: User = {
  id: 0,
  username: '',
  password: '',
  display_name: '',
  role: 0,
  status: 0,
  email: '',
  github_id: '',
  oidc_id: '',
  wechat_id: '',
  telegram_id: '',
  linux_do_id: '',
  verification_code: '',
  access_token: null,
  quota: 0,
  used_quota: 0,
  request_count: 0,
  group: '',
  aff_code: '',
  aff_count: 0,
  aff_quota: 0,
  aff_history_quota: 0,
  inviter_id: 0,
  DeletedAt: null,
  setting: '',
}

export function toUser(row: UserRow): User {
  return {
    ...EMPTY,
    id: row.id,
    username: row.username,
    display_name: row.display_name,
    role: row.role,
    status: row.status,
    email: row.email,
    github_id: row.github_id,
    oidc_id: row.oidc_id,
    wechat_id: row.wechat_id,
    telegram_id: row.telegram_id,
    linux_do_id: row.linux_do_id,
    quota: row.credited - row.spent,
    used_quota: row.spent - row.refunded,
    request_count: row.request_count,
    group: row.group,
    aff_code: row.aff_code ?? '',
    aff_count: row.aff_count,
    aff_quota: row.aff_quota,
    aff_history_quota: row.aff_history,
    inviter_id: row.inviter_id,
    DeletedAt: row.deleted_at?.toISOString() ?? null,
    setting: shownSetting(row),
    limits: row.limits,
  }
}

/** The answer of a sign-in. */
export function toSignedInUser(row: Pick<UserRow, 'id' | 'username' | 'display_name' | 'role' | 'status' | 'group'>): User {
  const { id, username, display_name, role, status, group } = row
  return { ...EMPTY, id, username, display_name, role, status, group }
}

/** The answer of a change of role or status. */
export function toManaged({ role, status }: Pick<UserRow, 'role' | 'status'>): User {
  return { ...EMPTY, role, status }
}
