import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { UnixSeconds } from '../units.ts'
import { answerWith } from '../values/common-schemas.ts'

export const STORES = ['postgres', 'redis'] as const
export type Store = (typeof STORES)[number]

/** The public data of the site; the console stores it. */
export const SiteStatus = z.object({
  version: z.string(),
  start_time: UnixSeconds,
  email_verification: z.boolean(),
  github_oauth: z.boolean(),
  github_client_id: z.string(),
  linuxdo_oauth: z.boolean(),
  linuxdo_client_id: z.string(),
  telegram_oauth: z.boolean(),
  telegram_bot_name: z.string(),
  system_name: z.string(),
  logo: z.string(),
  footer_html: z.string(),
  /** Ours: hosts whose pictures pages may show, as `cdn.example.com` or `*.example.com`. */
  image_hosts: z.array(z.string()),
  wechat_qrcode: z.string(),
  wechat_login: z.boolean(),
  server_address: z.string(),
  price: z.number(),
  min_topup: z.int(),
  turnstile_check: z.boolean(),
  turnstile_site_key: z.string(),
  top_up_link: z.string(),
  docs_link: z.string(),
  quota_per_unit: z.number(),
  /** Ours: a balance below this is low for an account without a threshold of its own. */
  quota_remind_threshold: z.int(),
  display_in_currency: z.boolean(),
  enable_batch_update: z.boolean(),
  enable_drawing: z.boolean(),
  enable_task: z.boolean(),
  enable_data_export: z.boolean(),
  data_export_default_time: z.string(),
  default_collapse_sidebar: z.boolean(),
  enable_online_topup: z.boolean(),
  mj_notify_enabled: z.boolean(),
  /** Maps with one entry: name to link with `{key}` and `{address}`. */
  chats: z.array(z.record(z.string(), z.string())),
  demo_site_enabled: z.boolean(),
  self_use_mode_enabled: z.boolean(),
  oidc_enabled: z.boolean(),
  oidc_client_id: z.string(),
  oidc_authorization_endpoint: z.string(),
  setup: z.boolean(),
})
export type SiteStatus = z.infer<typeof SiteStatus>

const text = z.string()

/** The newest release in our release feed. */
export const Release = z.object({ version: z.string(), url: z.string(), notes: z.string(), is_newer: z.boolean() })
export type Release = z.infer<typeof Release>

export const status = {
  get: endpoint({ method: 'GET', path: '/api/status', access: 'public', summary: 'Site status', data: SiteStatus }),
  test: endpoint({
    method: 'GET',
    path: '/api/status/test',
    access: 'admin',
    summary: 'Tests the database connection',
    answer: answerWith({}),
  }),
  stores: endpoint({
    method: 'GET',
    path: '/api/status/stores',
    access: 'public',
    summary: 'Which stores do not answer now; answers within two seconds while they are away (ours)',
    data: z.array(z.enum(STORES)),
  }),
  notice: endpoint({ method: 'GET', path: '/api/notice', access: 'public', summary: 'Option Notice', data: text }),
  about: endpoint({ method: 'GET', path: '/api/about', access: 'public', summary: 'Option About', data: text }),
  homePage: endpoint({ method: 'GET', path: '/api/home_page_content', access: 'public', summary: 'Option HomePageContent', data: text }),
  release: endpoint({
    method: 'GET',
    path: '/api/status/release',
    access: 'root',
    summary: 'The newest version in the release feed (ours)',
    data: Release,
  }),
}
