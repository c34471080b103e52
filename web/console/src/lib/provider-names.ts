import type { Provider } from '@tollgate/contracts/resources/oauth'

/** Names of sign-in providers, which are the same in every language. */
export const PROVIDER_NAMES = {
  github: 'GitHub',
  oidc: 'OIDC',
  linuxdo: 'Linux DO',
  wechat: 'WeChat',
  telegram: 'Telegram',
} as const satisfies Record<Provider, string>
