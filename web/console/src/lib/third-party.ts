import { oauth, type Provider, type RedirectProvider, type TelegramQuery } from '@tollgate/contracts/resources/oauth'
import type { User } from '@tollgate/contracts/resources/users'
import type { SiteStatus } from '@tollgate/contracts/resources/status'
import { call } from './api.ts'
import { storage } from './storage.ts'

const FLAGS = {
  github: 'github_oauth',
  oidc: 'oidc_enabled',
  linuxdo: 'linuxdo_oauth',
  wechat: 'wechat_login',
  telegram: 'telegram_oauth',
} as const satisfies Record<Provider, keyof SiteStatus>

/** In the order in which they are offered. */
export const ALL_PROVIDERS = ['github', 'oidc', 'linuxdo', 'wechat', 'telegram'] as const satisfies readonly Provider[]
const REDIRECTS: readonly string[] = ['github', 'oidc', 'linuxdo'] satisfies RedirectProvider[]

/** The providers that the administrator has turned on. */
export function offeredProviders(status: SiteStatus | undefined): readonly Provider[] {
  return ALL_PROVIDERS.filter((provider) => status?.[FLAGS[provider]] === true)
}

export function isRedirectProvider(provider: string): provider is RedirectProvider {
  return REDIRECTS.includes(provider)
}

/** A state proves that this browser began the sign-in. */
const makeState = (): Promise<string> => call(oauth.state, { query: { aff: storage.get('aff') ?? '' } })

export async function signInWithTelegram(user: TelegramQuery): Promise<User> {
  return await call(oauth.telegram, { query: { ...user, state: await makeState() } })
}

export async function signInWithWechat(code: string): Promise<User> {
  return await call(oauth.wechat, { query: { code, aff: storage.get('aff') ?? '', state: await makeState() } })
}

/** Sends the browser to the provider's own page, from which it comes back to `/oauth/{provider}`. */
export async function goToProvider(provider: RedirectProvider, purpose: 'sign-in' | 'bind'): Promise<void> {
  const { url } = await call(oauth.start, { body: { provider, purpose, aff: storage.get('aff') ?? '' } })
  window.location.assign(url)
}
