import type { CallFacts } from '../operations/api-format.ts'
import type { Vendor } from './vendor.ts'

/** The gateway of Cloudflare has vendors' paths without their version: https://developers.cloudflare.com/ai-gateway/providers/openai/ */
const CLOUDFLARE_GATEWAY = 'https://gateway.ai.cloudflare.com'

type Place = Pick<Vendor, 'address' | 'baseUrl' | 'dropsQuery'>

/** The address of a call: the channel's base URL, else the vendor's; `undefined` when neither names one. */
export function urlFor({ address, baseUrl, dropsQuery }: Place, base_url: string, given: CallFacts): string | undefined {
  const base = (base_url === '' ? baseUrl : base_url).replace(/\/+$/, '')
  const call = dropsQuery === true ? { ...given, query: '' } : given
  if (address.kind === 'own') return withQuery(address.url(call, base), call)
  if (base === '') return undefined
  if (address.kind === 'whole') return withQuery(base.replaceAll('{model}', call.model.split('/').map(encodeURIComponent).join('/')), call)
  const path = address.path(given)
  return withQuery(`${base}${base.startsWith(CLOUDFLARE_GATEWAY) ? path.replace(/^\/v1(?=\/)/, '') : path}`, call)
}

/** The client's query goes along, behind what the address has of its own. */
function withQuery(url: string | undefined, { query }: CallFacts): string | undefined {
  if (url === undefined || query.length <= 1) return url
  return `${url}${url.includes('?') ? '&' : '?'}${query.slice(1)}`
}

/** The headers that carry the credential. Vendors whose credential is made per call have none here: libs/upstream signs. */
export function authHeaders({ auth, organizationHeader }: Vendor, key: string, organization: string): Record<string, string> {
  if (auth.kind === 'google' || auth.kind === 'aws') return {}
  const credential = auth.kind === 'bearer' ? { authorization: `Bearer ${key}` } : { [auth.name]: key }
  if (organizationHeader === undefined || organization === '') return credential
  return { ...credential, [organizationHeader.toLowerCase()]: organization }
}
