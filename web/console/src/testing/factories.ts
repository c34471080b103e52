import type { FirstRun, SetupStatus } from '@tollgate/contracts/resources/setup'
import type { SiteStatus } from '@tollgate/contracts/resources/status'
import type { User } from '@tollgate/contracts/resources/users'
import type { StoredUser } from '../lib/storage.ts'

export const aStatus = (change: Partial<SiteStatus> = {}): SiteStatus => ({
  version: '0.1.0', start_time: 1_700_000_000, email_verification: false, github_oauth: false, github_client_id: '', linuxdo_oauth: false, linuxdo_client_id: '',
  telegram_oauth: false, telegram_bot_name: '', system_name: 'Tollgate', logo: '', footer_html: '', wechat_qrcode: '', wechat_login: false, server_address: '', price: 7.3,
  min_topup: 1, turnstile_check: false, turnstile_site_key: '', top_up_link: '', docs_link: '', quota_per_unit: 500_000, display_in_currency: true, enable_batch_update: false,
  enable_drawing: true, enable_task: true, enable_data_export: true, data_export_default_time: 'hour', default_collapse_sidebar: false, enable_online_topup: false,
  mj_notify_enabled: false, chats: [], demo_site_enabled: false, self_use_mode_enabled: false, oidc_enabled: false, oidc_client_id: '', oidc_authorization_endpoint: '', setup: true,
  ...change,
})

export const aSetupStatus = (change: Partial<SetupStatus> = {}): SetupStatus => ({ status: false, root_init: false, database_type: 'postgres', needs_code: false, ...change })

export const aFirstRun = (change: Partial<FirstRun> = {}): FirstRun => ({
  channel: null, tested_channel: null, priced_model: null, unpriced_models: [], token: null, request: null, ...change,
})

export const aStoredUser = (change: Partial<StoredUser> = {}): StoredUser => ({ id: 1, username: 'root', display_name: 'Root User', role: 100, status: 1, group: 'default', ...change })

export const aUser = (change: Partial<User> = {}): User => ({
  id: 1, username: 'root', password: '', display_name: 'Root User', role: 100, status: 1, email: '', github_id: '', oidc_id: '', wechat_id: '', telegram_id: '', linux_do_id: '',
  verification_code: '', access_token: null, quota: 0, used_quota: 0, request_count: 0, group: 'default', aff_code: '', aff_count: 0, aff_quota: 0, aff_history_quota: 0,
  inviter_id: 0, DeletedAt: null, setting: '', ...change,
})
