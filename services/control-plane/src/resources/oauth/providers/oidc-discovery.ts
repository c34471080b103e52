import { AppError } from '@tollgate/contracts/app-error'
import { BoundedMap } from '@tollgate/contracts/values/bounded-map'
import type { JSONWebKeySet } from 'jose'
import { callProvider, isOk, jsonOf, textIn } from './call.ts'
import type { ProviderDeps } from './provider.ts'

/** Contents of a well-known document. */
export type Discovery = {
  readonly issuer: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly userinfo_endpoint: string
  readonly jwks_uri: string
  /** How the token endpoint takes the client's secret; RFC 8414 has a header as the default. */
  readonly auth_methods: readonly string[]
}

type ReadDeps = Pick<ProviderDeps, 'outbound' | 'log' | 'now'>
type Cached<T> = { readonly value: T; readonly read_at: number }

const KEEP_MS = 10 * 60_000
const documents = new BoundedMap<Cached<Discovery>>(10)
const keySets = new BoundedMap<Cached<JSONWebKeySet>>(10)

/** The document of a well-known address, kept for ten minutes. */
export function readDiscovery(deps: ReadDeps, url: string): Promise<Discovery> {
  return cached(documents, url, deps.now(), () => fetchDiscovery(deps, url))
}

/** Reads a well-known document now. A document without the addresses of a sign-in is refused. */
export async function fetchDiscovery(deps: ReadDeps, url: string): Promise<Discovery> {
  const answer = await callProvider(deps, { url, headers: { accept: 'application/json' }, unreachable: 'oauth.oidc-discover' })
  const document = jsonOf(answer)
  const found = {
    issuer: textIn(document, 'issuer'),
    authorization_endpoint: textIn(document, 'authorization_endpoint'),
    token_endpoint: textIn(document, 'token_endpoint'),
    userinfo_endpoint: textIn(document, 'userinfo_endpoint'),
    jwks_uri: textIn(document, 'jwks_uri'),
  }
  if (!isOk(answer) || Object.values(found).includes('')) throw new AppError('oauth.oidc-discover')
  const methods = document['token_endpoint_auth_methods_supported']
  const auth_methods = Array.isArray(methods) ? methods.filter((method) => typeof method === 'string') : ['client_secret_basic']
  return { ...found, auth_methods }
}

/** The provider's signing keys, kept for ten minutes; `isFresh` reads them now, because a provider may have new ones. */
export function readKeys(deps: ReadDeps, url: string, isFresh: boolean): Promise<JSONWebKeySet> {
  if (isFresh) keySets.delete(url)
  return cached(keySets, url, deps.now(), async () => {
    const answer = await callProvider(deps, { url, headers: { accept: 'application/json' }, unreachable: 'oauth.oidc-unreachable' })
    const { keys } = jsonOf(answer)
    if (!isOk(answer) || !Array.isArray(keys)) throw new AppError('oauth.oidc-unreachable')
    return { keys } as JSONWebKeySet // jose checks each key when it imports it
  })
}

async function cached<T>(store: BoundedMap<Cached<T>>, url: string, now: number, read: () => Promise<T>): Promise<T> {
  const known = store.get(url)
  if (known !== undefined && now - known.read_at < KEEP_MS && now >= known.read_at) return known.value
  const value = await read()
  store.set(url, { value, read_at: now })
  return value
}
