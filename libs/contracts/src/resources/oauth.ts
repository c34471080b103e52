import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { QueryText, textOf } from '../values/common-schemas.ts'
import { User } from './users.ts'

/** Fields of Telegram's login widget; `lang` is accepted and excluded from the signature check. */
export const TelegramQuery = z.object({
  id: QueryText,
  first_name: z.string().max(4000).optional(),
  last_name: z.string().max(4000).optional(),
  username: z.string().max(4000).optional(),
  photo_url: z.string().max(4000).optional(),
  auth_date: QueryText,
  hash: QueryText,
  lang: z.string().max(4000).optional(),
  /** Ours: the single-use state of a binding or sign-in. */
  state: z.string().max(4000).optional(),
})
export type TelegramQuery = z.infer<typeof TelegramQuery>

/** The callback address of a third-party sign-in. */
export const CallbackQuery = z.object({
  code: QueryText,
  state: QueryText,
  error: z.string().max(4000).optional(),
  error_description: z.string().max(4000).optional(),
})
export type CallbackQuery = z.infer<typeof CallbackQuery>

export const PROVIDERS = ['github', 'oidc', 'linuxdo', 'wechat', 'telegram'] as const
export type Provider = (typeof PROVIDERS)[number]
/** Providers with a sign-in page of their own, to which the browser is sent and from which it returns with a code. */
export const REDIRECT_PROVIDERS = ['github', 'oidc', 'linuxdo'] as const
export type RedirectProvider = (typeof REDIRECT_PROVIDERS)[number]

const CodeQuery = z.object({ code: QueryText })
/** Signs in, or binds the account when the state was made by a session: then message `bind` and no data. */
const callback = { access: 'optional', changes: true, limit: 'sign-in', query: CallbackQuery, data: User.optional() } as const

export const oauth = {
  state: endpoint({
    method: 'GET',
    path: '/api/oauth/state',
    access: 'optional',
    changes: true,
    limit: 'sign-in',
    summary: 'A single-use state for a third-party sign-in',
    query: z.object({ aff: QueryText }),
    data: z.string(),
  }),
  start: endpoint({
    method: 'POST',
    path: '/api/oauth/start',
    access: 'optional',
    limit: 'sign-in',
    summary: 'The address of a provider’s sign-in page with state, PKCE and nonce (ours)',
    body: z.object({ provider: z.enum(REDIRECT_PROVIDERS), purpose: z.enum(['sign-in', 'bind']), aff: textOf(200) }),
    data: z.object({ url: z.string() }),
  }),
  github: endpoint({ method: 'GET', path: '/api/oauth/github', ...callback, summary: 'Signs in with GitHub, or binds the account' }),
  oidc: endpoint({ method: 'GET', path: '/api/oauth/oidc', ...callback, summary: 'Signs in with OIDC, or binds the account' }),
  linuxdo: endpoint({ method: 'GET', path: '/api/oauth/linuxdo', ...callback, summary: 'Signs in with Linux DO, or binds the account' }),
  wechat: endpoint({
    method: 'GET',
    path: '/api/oauth/wechat',
    access: 'public',
    changes: true,
    limit: 'sign-in',
    summary: 'Signs in with WeChat',
    query: z.object({ code: QueryText, aff: QueryText, state: QueryText }),
    data: User,
  }),
  bindWechat: endpoint({
    method: 'GET',
    path: '/api/oauth/wechat/bind',
    access: 'user',
    changes: true,
    needsProof: true,
    limit: 'critical',
    summary: 'Binds WeChat',
    query: CodeQuery,
  }),
  bindEmail: endpoint({
    method: 'GET',
    path: '/api/oauth/email/bind',
    access: 'user',
    changes: true,
    needsProof: true,
    limit: 'critical',
    summary: 'Binds an e-mail address',
    query: z.object({ email: QueryText, code: QueryText }),
  }),
  telegram: endpoint({
    method: 'GET',
    path: '/api/oauth/telegram/login',
    access: 'public',
    changes: true,
    limit: 'sign-in',
    summary: 'Signs in with Telegram',
    query: TelegramQuery,
    data: User,
  }),
  /** A navigation from another site: the state replaces the user id header. Answers 302 to `/setting`. */
  bindTelegram: endpoint({
    method: 'GET',
    path: '/api/oauth/telegram/bind',
    access: 'session',
    needsProof: true,
    limit: 'critical',
    summary: 'Binds Telegram and redirects',
    landing: '/personal',
    query: TelegramQuery,
  }),
  telegramState: endpoint({
    method: 'POST',
    path: '/api/oauth/telegram/state',
    access: 'user',
    needsProof: true,
    limit: 'critical',
    summary: 'The state of a Telegram binding, valid for 5 minutes (ours)',
    data: z.string(),
  }),
  unbind: endpoint({
    method: 'POST',
    path: '/api/oauth/unbind',
    access: 'user',
    needsProof: true,
    limit: 'critical',
    summary: 'Removes a binding, unless it is the only way to sign in (ours)',
    body: z.object({ provider: z.enum(['email', ...PROVIDERS]) }),
  }),
  discover: endpoint({
    method: 'POST',
    path: '/api/oauth/oidc/discover',
    access: 'root',
    summary: 'Reads the addresses of an OIDC well-known document (ours)',
    body: z.object({ url: z.string().max(2000) }),
    data: z.object({ authorization_endpoint: z.string(), token_endpoint: z.string(), userinfo_endpoint: z.string() }),
  }),
}
