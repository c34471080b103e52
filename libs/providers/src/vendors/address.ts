import type { CallFacts } from '../calls/api-format.ts'
import type { Vendor } from './vendor.ts'

/** Cloudflare's gateway uses vendors' paths without the version: https://developers.cloudflare.com/ai-gateway/providers/openai/ */
const CLOUDFLARE_GATEWAY = 'https://gateway.ai.cloudflare.com'

type AddressFields = Pick<Vendor, 'address' | 'baseUrl' | 'dropsQuery'>

/** The URL of a call, from the channel's base URL or the vendor's; undefined if neither is set. */
export function urlFor({ address, baseUrl, dropsQuery }: AddressFields, base_url: string, given: CallFacts): string | undefined {
  const base = (base_url === '' ? baseUrl : base_url).replace(/\/+$/, '')
  const call = dropsQuery === true ? { ...given, query: '' } : given
  if (address.kind === 'derived') return withQuery(address.url(call, base), call)
  if (base === '') return undefined
  if (address.kind === 'base-url')
    return withQuery(base.replaceAll('{model}', call.model.split('/').map(encodeURIComponent).join('/')), call)
  const path = address.path(given)
  return withQuery(`${base}${base.startsWith(CLOUDFLARE_GATEWAY) ? path.replace(/^\/v1(?=\/)/, '') : path}`, call)
}

/** Appends the client's query to the URL's own. */
function withQuery(url: string | undefined, { query }: CallFacts): string | undefined {
  if (url === undefined || query.length <= 1) return url
  return `${url}${url.includes('?') ? '&' : '?'}${query.slice(1)}`
}

/** The credential headers. Empty for vendors whose calls libs/upstream signs. */
export function authHeaders({ auth, organizationHeader }: Vendor, key: string, organization: string): Record<string, string> {
  if (auth.kind !== 'bearer' && auth.kind !== 'header') return {}
  const credential = auth.kind === 'bearer' ? { authorization: `Bearer ${auth.token?.(key) ?? key}` } : { [auth.name]: key }
  if (organizationHeader === undefined || organization === '') return credential
  return { ...credential, [organizationHeader.toLowerCase()]: organization }
}
