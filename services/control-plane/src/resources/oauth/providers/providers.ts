import type { OptionKey } from '@tollgate/contracts/options/registry'
import type { ErrorCode } from '@tollgate/contracts/errors'
import type { Provider, RedirectProvider } from '@tollgate/contracts/resources/oauth'
import type { BindingColumn } from '@tollgate/db/queries/users/bindings'
import { githubPage, identifyAtGithub } from './github.ts'
import { identifyAtLinuxDo, linuxDoPage } from './linux-do.ts'
import { identifyAtOidc, oidcPage } from './oidc.ts'
import type { Code, FoundIdentity, ProviderDeps } from './provider.ts'

export type ProviderFacts = {
  readonly column: BindingColumn
  /** The unique index of the column. */
  readonly index: string
  readonly isOn: Extract<OptionKey, `${string}nabled`>
  readonly off: ErrorCode
  readonly bound: ErrorCode
}

export const providers: Readonly<Record<Provider, ProviderFacts>> = {
  github: { column: 'github_id', index: 'users_github', isOn: 'GitHubOAuthEnabled', off: 'oauth.github-off', bound: 'oauth.github-bound' },
  oidc: { column: 'oidc_id', index: 'users_oidc', isOn: 'oidc.enabled', off: 'oauth.oidc-off', bound: 'oauth.oidc-bound' },
  linuxdo: {
    column: 'linux_do_id',
    index: 'users_linux_do',
    isOn: 'LinuxDOOAuthEnabled',
    off: 'oauth.linuxdo-off',
    bound: 'oauth.linuxdo-bound',
  },
  wechat: { column: 'wechat_id', index: 'users_wechat', isOn: 'WeChatAuthEnabled', off: 'oauth.wechat-off', bound: 'oauth.wechat-bound' },
  telegram: {
    column: 'telegram_id',
    index: 'users_telegram',
    isOn: 'TelegramOAuthEnabled',
    off: 'oauth.telegram-off',
    bound: 'oauth.telegram-bound',
  },
}

type Page = { readonly state: string; readonly challenge: string; readonly nonce: string; readonly redirect_uri: string }

export const redirectProviders: Readonly<
  Record<
    RedirectProvider,
    {
      /** The address of the provider's sign-in page. */
      readonly page: (deps: ProviderDeps, page: Page) => Promise<string>
      readonly identify: (deps: ProviderDeps, code: Code) => Promise<FoundIdentity>
    }
  >
> = {
  github: { page: githubPage, identify: identifyAtGithub },
  oidc: { page: oidcPage, identify: identifyAtOidc },
  linuxdo: { page: linuxDoPage, identify: identifyAtLinuxDo },
}
