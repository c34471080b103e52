import { z } from 'zod'
import { SeenRow } from '../values/seen-row.ts'
import { endpoint } from '../endpoint.ts'
import { Limits } from '../relay/limits.ts'
import { Amount, Quota, UnixSeconds } from '../units.ts'
import { IdParams, IsManaged, PageQuery, pageOf, QueryText, TextOrNull, textOf } from '../values/common-schemas.ts'

/** Password, codes and tokens are never sent: their fields exist for old consoles and are always empty. */
export const User = z.object({
  id: z.int(),
  username: z.string(),
  password: z.string(),
  display_name: z.string(),
  role: z.int(),
  status: z.int(),
  email: z.string(),
  github_id: z.string(),
  oidc_id: z.string(),
  wechat_id: z.string(),
  telegram_id: z.string(),
  linux_do_id: z.string(),
  verification_code: z.string(),
  access_token: z.null(),
  quota: Quota,
  used_quota: Quota,
  request_count: z.int(),
  group: z.string(),
  aff_code: z.string(),
  aff_count: z.int(),
  aff_quota: Quota,
  aff_history_quota: Quota,
  inviter_id: z.int(),
  DeletedAt: z.string().nullable(),
  /** JSON text of ShownSetting, or empty. */
  setting: z.string(),
  /** Ours: limits shared by all tokens of the user; null: no limits. */
  limits: Limits.nullish(),
})
export type User = z.infer<typeof User>

/** The content of a user's column `setting`. */
export const UserSetting = z.object({
  notify_type: z.enum(['email', 'webhook']).optional(),
  quota_warning_threshold: z.number().optional(),
  webhook_url: z.string().optional(),
  /** Sealed with KEY_OPTIONS for this user (`sealedBy.webhookSecret`). */
  webhook_secret: z.string().optional(),
  notification_email: z.string().optional(),
  /** Ours: the address for notices whose code was entered; another one in `notification_email` gets none. */
  notification_email_confirmed: z.string().optional(),
  /** Ours: an address that is not confirmed by its code yet. */
  notification_email_pending: z.string().optional(),
  accept_unset_model_ratio_model: z.boolean().optional(),
  /** Absent: yes, where option WeeklyReportEnabled is on. */
  weekly_report: z.boolean().optional(),
})
export type UserSetting = z.infer<typeof UserSetting>

/** The same in answers: the secret is always empty, and a flag says whether there is one. */
export type ShownSetting = UserSetting & { readonly webhook_secret_set?: boolean }

export const NewUser = z.object({
  username: textOf(200),
  password: textOf(1000),
  display_name: TextOrNull,
  role: z.int().optional(),
})
export type NewUser = z.infer<typeof NewUser>

/** Absent fields keep their value, as does a blank password. */
export const UserChange = z.object({
  id: z.int().default(0),
  username: z.string().max(200).optional(),
  display_name: z.string().max(200).optional(),
  group: z.string().max(200).optional(),
  quota: Amount.optional(),
  /** Ours: the quota when the form was opened, so that changes since then are kept. */
  quota_before: Amount.optional(),
  /** Ours: identifies the opened form, so that a change of the quota that arrives twice is booked once. */
  form_id: z.string().max(64).optional(),
  password: z.string().max(1000).optional(),
  role: z.int().optional(),
  was: SeenRow,
})
export type UserChange = z.infer<typeof UserChange>

/** A credit (or, below zero, a debit) by an administrator. */
export const QuotaAdjustment = z.object({
  id: z.int().default(0),
  amount: Amount,
  /** Shown to the user beside the entry. */
  reason: textOf(200),
  /** Identifies the opened form, so that an adjustment that arrives twice is booked once. */
  form_id: z.string().max(64).optional(),
})
export type QuotaAdjustment = z.infer<typeof QuotaAdjustment>

/** The last thirty days of a user; days without requests are absent. */
export const UserUsage = z.object({
  days: z.array(z.object({ day: UnixSeconds, quota: Quota, requests: z.int() })),
  /** 0: no request is logged. */
  last_request_at: UnixSeconds,
})
export type UserUsage = z.infer<typeof UserUsage>

/** A token of another user, with its key masked. */
export const UserToken = z.object({
  id: z.int(),
  name: z.string(),
  /** The first and the last four characters. */
  masked_key: z.string(),
  status: z.int(),
  group: z.string(),
  remain_quota: Quota,
  unlimited_quota: z.boolean(),
  used_quota: Quota,
  created_time: UnixSeconds,
  /** The time of its creation until it is used. */
  accessed_time: UnixSeconds,
  /** −1: never. */
  expired_time: UnixSeconds,
  is_managed: IsManaged,
})
export type UserToken = z.infer<typeof UserToken>

export const MANAGE_ACTIONS = ['promote', 'demote', 'enable', 'disable', 'delete'] as const
export type ManageAction = (typeof MANAGE_ACTIONS)[number]

const UserPage = pageOf(User)

export const users = {
  list: endpoint({
    method: 'GET',
    path: '/api/user/',
    access: 'admin',
    summary: 'Users, newest first, deleted ones included',
    query: PageQuery,
    data: UserPage,
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/user/search',
    access: 'admin',
    summary: 'Searches users by name, e-mail, display name or id, and by group',
    query: z.object({ ...PageQuery.shape, keyword: QueryText, group: QueryText }),
    data: UserPage,
  }),
  get: endpoint({ method: 'GET', path: '/api/user/{id}', access: 'admin', summary: 'One user', params: IdParams, data: User }),
  create: endpoint({ method: 'POST', path: '/api/user/', access: 'admin', summary: 'Creates a user', body: NewUser }),
  update: endpoint({
    method: 'PUT',
    path: '/api/user/',
    access: 'admin',
    summary: 'Updates a user, and answers with it',
    body: UserChange,
    data: User,
  }),
  manage: endpoint({
    method: 'POST',
    path: '/api/user/manage',
    access: 'admin',
    summary: 'Promotes, demotes, disables, enables or deletes a user',
    body: z.object({ id: z.int().default(0), action: textOf(100) }),
    /** A User with only role and status set. */
    data: User,
  }),
  setLimits: endpoint({
    method: 'PUT',
    path: '/api/user/limits',
    access: 'admin',
    summary: 'Sets the limits that all tokens of a user share: requests and tokens per minute, open requests (ours)',
    body: z.object({ id: z.int(), limits: Limits.nullable() }),
    data: User,
  }),
  adjustQuota: endpoint({
    method: 'POST',
    path: '/api/user/quota',
    access: 'admin',
    summary: 'Adds to or takes from the balance of a user, with a reason (ours)',
    body: QuotaAdjustment,
    data: User,
  }),
  usage: endpoint({
    method: 'GET',
    path: '/api/user/{id}/usage',
    access: 'admin',
    summary: 'The last thirty days of a user, and its last request (ours)',
    params: IdParams,
    data: UserUsage,
  }),
  tokens: endpoint({
    method: 'GET',
    path: '/api/user/{id}/tokens',
    access: 'admin',
    summary: 'The tokens of a user, newest first, with masked keys (ours)',
    params: IdParams,
    query: PageQuery,
    data: pageOf(UserToken),
  }),
  remove: endpoint({ method: 'DELETE', path: '/api/user/{id}', access: 'admin', summary: 'Deletes a user permanently', params: IdParams }),
}
