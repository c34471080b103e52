import type { TokenRecord, UserRecord } from '@tollgate/contracts/moving-in/records'
import { MAX_QUOTA, type Quota } from '@tollgate/contracts/units'
import type { Cells } from '../cells/cells.ts'
import type { Made } from '../source.ts'
import { ADDRESS_SEPARATORS, MODEL_SEPARATORS, type Family } from './family.ts'

const AMOUNT = { min: -MAX_QUOTA / 2, max: MAX_QUOTA / 2 }
/** A user of one-api that was deleted. */
const DELETED_STATUS = 3

const amount = (cells: Cells, column: string): Quota => cells.int(column, 0, AMOUNT)

export function toUser(cells: Cells, family: Family, facts: { readonly totp: ReadonlyMap<number, string> }): Made<UserRecord> {
  const id = cells.int('id')
  const username = cells.text('username').trim()
  if (id <= 0) return { refused: 'id' }
  if (username === '') return { refused: 'name' }
  const status = cells.int('status', 1)
  const is_deleted = cells.isSet('deleted_at') || (family === 'one-api' && status === DELETED_STATUS)
  const password = cells.text('password')
  const isKnownHash = password === '' || /^\$2[abxy]\$\d\d\$/.test(password)
  if (!isKnownHash) cells.note('password', 'unknown-hash')
  if (cells.text('discord_id') !== '') cells.note('identity', 'discord_id')
  if (cells.text('lark_id') !== '') cells.note('identity', 'lark_id')
  return {
    record: {
      origin: { table: 'users', id: String(id) },
      notes: cells.notes,
      id,
      username,
      password_hash: isKnownHash ? password : '',
      display_name: cells.text('display_name'),
      role: cells.int('role', 1),
      is_enabled: status === 1,
      email: cells.text('email').trim(),
      github_id: cells.text('github_id').trim(),
      oidc_id: cells.text('oidc_id').trim(),
      wechat_id: cells.text('wechat_id').trim(),
      telegram_id: cells.text('telegram_id').trim(),
      linux_do_id: cells.text('linux_do_id').trim(),
      access_token: cells.text('access_token').trim(),
      group: cells.text('group').trim() || 'default',
      quota: amount(cells, 'quota'),
      used_quota: amount(cells, 'used_quota'),
      request_count: cells.int('request_count', 0, { min: 0 }),
      aff_code: cells.text('aff_code').trim(),
      aff_quota: amount(cells, 'aff_quota'),
      aff_history: amount(cells, 'aff_history'),
      inviter_id: cells.int('inviter_id', 0, { min: 0 }),
      setting: toSetting(cells),
      totp_secret: facts.totp.get(id) ?? '',
      created_at: cells.int('created_at', 0, { min: 0 }),
      is_deleted,
      organisation: null,
    },
  }
}

const SETTINGS = [
  'notify_type',
  'quota_warning_threshold',
  'webhook_url',
  'webhook_secret',
  'notification_email',
  'accept_unset_model_ratio_model',
  'language',
] as const
/** Fields that concern only the old console, or repeat a default. */
const QUIET = new Set(['sidebar_modules', 'gotify_priority', 'record_ip_log', 'upstream_model_update_notify_enabled'])

function toSetting(cells: Cells): Record<string, unknown> {
  const stored = cells.object('setting') ?? {}
  const known: readonly string[] = SETTINGS
  for (const [field, value] of Object.entries(stored)) {
    if (!known.includes(field) && !QUIET.has(field) && value !== '' && value !== 0 && value !== false) cells.note('user-setting', field)
  }
  const kept = Object.entries(stored).filter(([field, value]) => known.includes(field) && value !== '' && value !== null)
  const { notify_type, ...setting } = Object.fromEntries(kept)
  if (notify_type === undefined) return setting
  if (notify_type === 'email' || notify_type === 'webhook') return { ...setting, notify_type }
  cells.note('user-setting', `notify_type ${typeof notify_type === 'string' ? notify_type : ''}`)
  return setting
}

/** The form of the keys that this gateway accepts. */
const KEY = /^[A-Za-z0-9]{48}$/

export function toToken(cells: Cells): Made<TokenRecord> {
  const id = cells.int('id')
  if (id <= 0) return { refused: 'id' }
  const key = cells.text('key').trim().replace(/^sk-/, '')
  if (!KEY.test(key)) return { refused: 'token-key' }
  const unlimited_quota = cells.flag('unlimited_quota')
  const limited = cells.has('models') ? cells.text('models') : cells.text('model_limits')
  const models = splitBy(limited, MODEL_SEPARATORS)
  const status = cells.int('status', 1)
  return {
    record: {
      origin: { table: 'tokens', id: String(id) },
      notes: cells.notes,
      id,
      user_id: cells.int('user_id'),
      name: cells.text('name'),
      key,
      key_hash: '',
      key_tail: '',
      status: status >= 1 && status <= 4 ? status : 2,
      created_time: cells.int('created_time', 0, { min: 0 }),
      accessed_time: cells.int('accessed_time', 0, { min: 0 }),
      expired_time: toExpiry(cells.int('expired_time', -1)),
      remain_quota: amount(cells, 'remain_quota'),
      used_quota: amount(cells, 'used_quota'),
      unlimited_quota,
      models,
      is_limited_to_models: cells.has('models') ? models.length > 0 : cells.flag('model_limits_enabled'),
      allow_ips: splitBy(cells.has('allow_ips') ? cells.text('allow_ips') : cells.text('subnet'), ADDRESS_SEPARATORS),
      group: cells.text('group').trim(),
      cross_group_retry: cells.flag('cross_group_retry'),
      is_deleted: cells.isSet('deleted_at'),
    },
  }
}

/** 0 and −1 both mean never. */
const toExpiry = (time: number): number => (time <= 0 ? -1 : time)

export const splitBy = (text: string, separators: RegExp): string[] => [
  ...new Set(
    text
      .split(separators)
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
]
