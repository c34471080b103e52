import { oauth } from '@tollgate/contracts/resources/oauth'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { unbind } from './bindings.ts'
import { fetchDiscovery } from './providers/oidc-discovery.ts'
import {
  bindTelegram,
  bindWechat,
  createPlainState,
  createTelegramState,
  finishAtProvider,
  signInWithTelegram,
  signInWithWechat,
  startAtProvider,
} from './service.ts'

export const oauthRoutes = (deps: Deps): Binding[] => [
  handle(oauth.state, ({ c, ip, actor, query }) => createPlainState(deps, { c, ip, actor }, query.aff)),
  handle(oauth.start, ({ c, ip, actor, body }) => startAtProvider(deps, { c, ip, actor }, body)),
  handle(oauth.github, ({ c, ip, actor, query }) => finishAtProvider(deps, { c, ip, actor }, 'github', query)),
  handle(oauth.oidc, ({ c, ip, actor, query }) => finishAtProvider(deps, { c, ip, actor }, 'oidc', query)),
  handle(oauth.linuxdo, ({ c, ip, actor, query }) => finishAtProvider(deps, { c, ip, actor }, 'linuxdo', query)),
  handle(oauth.wechat, ({ c, ip, query }) => signInWithWechat(deps, { c, ip, actor: undefined }, query)),
  handle(oauth.bindWechat, ({ c, ip, actor, query }) => bindWechat(deps, { c, ip, actor }, query.code)),
  handle(oauth.telegram, ({ c, ip, query }) => signInWithTelegram(deps, { c, ip, actor: undefined }, query)),
  handle(oauth.telegramState, ({ c, ip, actor }) => createTelegramState(deps, { c, ip, actor })),
  handle(oauth.bindTelegram, ({ c, ip, actor, query }) => bindTelegram(deps, { c, ip, actor }, query)),
  handle(oauth.unbind, ({ ip, actor, body }) => unbind(deps, { actor, ip }, body.provider)),
  handle(oauth.discover, async ({ body }) => {
    const { authorization_endpoint, token_endpoint, userinfo_endpoint } = await fetchDiscovery(deps, body.url)
    return { authorization_endpoint, token_endpoint, userinfo_endpoint }
  }),
]
