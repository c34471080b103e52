import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Amount, MAX_QUOTA, Ratio } from '../units.ts'
import { TextOrNull } from '../values/common-schemas.ts'
import { User } from './users.ts'

/** The groups that a caller may choose, with ratio and label. */
export const UsableGroups = z.record(z.string(), z.object({ ratio: Ratio, desc: z.string() }))
export type UsableGroups = z.infer<typeof UsableGroups>

/** `has_access_token` (ours) is absent in answers of earlier versions. */
export const OwnUser = User.extend({ has_access_token: z.boolean().optional() })
export type OwnUser = z.infer<typeof OwnUser>

/** Blank fields keep their value. */
export const SelfChange = z.object({
  username: TextOrNull,
  display_name: TextOrNull,
  password: TextOrNull,
  original_password: TextOrNull,
})
export type SelfChange = z.infer<typeof SelfChange>

/** Absent fields keep their value. */
export const SettingChange = z.object({
  notify_type: z.string().max(100).optional(),
  quota_warning_threshold: z.number().min(-MAX_QUOTA).max(MAX_QUOTA).optional(),
  webhook_url: z.string().max(2000).optional(),
  webhook_secret: z.string().max(1000).optional(),
  /** Another address than that of the account is used once the code that is mailed to it was given. */
  notification_email: z.string().max(500).optional(),
  /** Ours. */
  notification_code: z.string().max(100).optional(),
  accept_unset_model_ratio_model: z.boolean().optional(),
  weekly_report: z.boolean().optional(),
})
export type SettingChange = z.infer<typeof SettingChange>

export const self = {
  get: endpoint({ method: 'GET', path: '/api/user/self', access: 'user', right: 'account.read', summary: 'Own data', data: OwnUser }),
  update: endpoint({
    method: 'PUT',
    path: '/api/user/self',
    access: 'user',
    summary: 'Changes own name, display name or password',
    body: SelfChange,
  }),
  remove: endpoint({ method: 'DELETE', path: '/api/user/self', access: 'user', needsProof: true, summary: 'Deletes the own account' }),
  groups: endpoint({
    method: 'GET',
    path: '/api/user/self/groups',
    access: 'user',
    right: 'account.read',
    summary: 'Groups that the caller may use',
    data: UsableGroups,
  }),
  models: endpoint({
    method: 'GET',
    path: '/api/user/models',
    access: 'user',
    right: 'account.read',
    summary: 'Models that the caller may use',
    data: z.array(z.string()),
  }),
  createAccessToken: endpoint({
    method: 'GET',
    path: '/api/user/token',
    access: 'user',
    changes: true,
    needsProof: true,
    summary: 'Creates a new system access token and invalidates the old one',
    data: z.string(),
  }),
  inviteCode: endpoint({ method: 'GET', path: '/api/user/aff', access: 'user', summary: 'Own invite code', data: z.string() }),
  transferInviteQuota: endpoint({
    method: 'POST',
    path: '/api/user/aff_transfer',
    access: 'user',
    summary: 'Moves invite earnings to the balance',
    body: z.object({ quota: Amount }),
  }),
  updateSetting: endpoint({
    method: 'PUT',
    path: '/api/user/setting',
    access: 'user',
    summary: 'Notification and price settings',
    body: SettingChange,
  }),
}
