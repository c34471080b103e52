import { AppError } from '@tollgate/contracts/app-error'
import { callProvider, formOf, isOk, isRecord, jsonOf, textIn } from './call.ts'
import { readDiscovery, type Discovery } from './oidc-discovery.ts'
import { verifyIdToken } from './oidc-id-token.ts'
import type { Code, FoundIdentity, ProviderDeps } from './provider.ts'

const unreachable = 'oauth.oidc-unreachable'

/** The configured addresses; the discovery document fills in those that are not set. */
export type OidcSettings = {
  readonly client_id: string
  readonly client_secret: string
  /** Scopes that the page asks for. */
  readonly scope: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly user_info_endpoint: string
  /** Undefined without a well-known address: then the ID token is not checked, and the identity is what the user info endpoint says. */
  readonly discovery: Discovery | undefined
}

export async function oidcSettings(deps: ProviderDeps): Promise<OidcSettings> {
  const all = await deps.options.all()
  const well_known = all['oidc.well_known']
  const discovery = well_known === '' ? undefined : await readDiscovery(deps, well_known)
  return {
    client_id: all['oidc.client_id'],
    client_secret: all['oidc.client_secret'],
    scope: [...new Set(['openid', 'profile', 'email', ...all['oidc.extra_scopes'].split(/[\s,]+/)])]
      .filter((name) => name !== '')
      .join(' '),
    authorization_endpoint: all['oidc.authorization_endpoint'] || (discovery?.authorization_endpoint ?? ''),
    token_endpoint: all['oidc.token_endpoint'] || (discovery?.token_endpoint ?? ''),
    user_info_endpoint: all['oidc.user_info_endpoint'] || (discovery?.userinfo_endpoint ?? ''),
    discovery,
  }
}

type Page = { readonly state: string; readonly challenge: string; readonly nonce: string; readonly redirect_uri: string }

export async function oidcPage(deps: ProviderDeps, { state, challenge, nonce, redirect_uri }: Page): Promise<string> {
  const { client_id, scope, authorization_endpoint } = await oidcSettings(deps)
  const url = URL.parse(authorization_endpoint)
  if (url === null) throw new AppError(unreachable)
  const query = { client_id, state, nonce, redirect_uri, response_type: 'code', scope }
  for (const [name, value] of Object.entries({ ...query, code_challenge: challenge, code_challenge_method: 'S256' })) {
    url.searchParams.set(name, value)
  }
  return url.href
}

export async function identifyAtOidc(deps: ProviderDeps, code: Code): Promise<FoundIdentity> {
  const settings = await oidcSettings(deps)
  const tokens = await takeTokens(deps, settings, code)
  const token =
    settings.discovery === undefined
      ? undefined
      : await verifyIdToken(deps, textLong(tokens, 'id_token'), {
          discovery: settings.discovery,
          audience: settings.client_id,
          nonce: code.nonce,
        })
  const user = await readUser(deps, settings.user_info_endpoint, textLong(tokens, 'access_token'))
  const id = textIn(user, 'sub')
  const email = textIn(user, 'email')
  if (id === '') throw new AppError('oauth.oidc-empty')
  // Else the access token could be another person's: OpenID Connect Core 5.3.2.
  if (token !== undefined && token.sub !== id) throw new AppError('oauth.oidc-user')
  return {
    id,
    username: textIn(user, 'preferred_username'),
    display_name: textIn(user, 'name') || 'OIDC User',
    claims: { ...token, ...user },
    verifiedEmail: () => Promise.resolve(user['email_verified'] === true ? email : ''),
  }
}

async function takeTokens(deps: ProviderDeps, settings: OidcSettings, code: Code): Promise<Readonly<Record<string, unknown>>> {
  const { client_id, client_secret, discovery } = settings
  const usesHeader = discovery?.auth_methods.includes('client_secret_post') === false
  const { headers, body } = formOf({
    ...(usesHeader ? {} : { client_id, client_secret }),
    code: code.code,
    grant_type: 'authorization_code',
    redirect_uri: code.redirect_uri,
    ...(code.verifier === undefined ? {} : { code_verifier: code.verifier }),
  })
  const basic = Buffer.from(`${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`).toString('base64')
  const answer = await callProvider(deps, {
    method: 'POST',
    url: settings.token_endpoint,
    headers: usesHeader ? { ...headers, authorization: `Basic ${basic}` } : headers,
    body,
    unreachable,
  })
  const tokens = jsonOf(answer)
  if (isOk(answer) && textLong(tokens, 'access_token') !== '') return tokens
  deps.log.warn({ reason: textIn(tokens, 'error'), status: answer.status }, 'The OIDC provider refused a code')
  throw new AppError('oauth.oidc-token')
}

async function readUser(deps: ProviderDeps, url: string, token: string): Promise<Readonly<Record<string, unknown>>> {
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
  const answer = await callProvider(deps, { url, headers, unreachable })
  if (answer.status !== 200 || !isRecord(jsonOf(answer))) throw new AppError('oauth.oidc-user')
  return jsonOf(answer)
}

/** Tokens are longer than the other fields. */
function textLong(record: Readonly<Record<string, unknown>>, field: string): string {
  const value = record[field]
  return typeof value === 'string' && value.length <= 100_000 ? value : ''
}
