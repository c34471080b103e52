import type { CallFacts } from '../exchange/wire.ts'
import type { Vendor } from './vendor.ts'

/** The gateway of Cloudflare has vendors' paths without their version: https://developers.cloudflare.com/ai-gateway/providers/openai/ */
const CLOUDFLARE_GATEWAY = 'https://gateway.ai.cloudflare.com'

/** The address of a call: the channel's base URL, else the vendor's; `undefined` when neither names one. */
export function urlOf({ address, baseUrl }: Pick<Vendor, 'address' | 'baseUrl'>, base_url: string, call: CallFacts): string | undefined {
  const base = (base_url === '' ? baseUrl : base_url).replace(/\/+$/, '')
  if (address.kind === 'own') return withQuery(address.url(call), call)
  if (base === '') return undefined
  if (address.kind === 'whole') return withQuery(base.replaceAll('{model}', call.model.split('/').map(encodeURIComponent).join('/')), call)
  const path = address.path(call)
  return withQuery(`${base}${base.startsWith(CLOUDFLARE_GATEWAY) ? path.replace(/^\/v1(?=\/)/, '') : path}`, call)
}

/** The client's query goes along, behind what the address has of its own. */
function withQuery(url: string | undefined, { query }: CallFacts): string | undefined {
  if (url === undefined || query.length <= 1) return url
  return `${url}${url.includes('?') ? '&' : '?'}${query.slice(1)}`
}

/** The headers that carry the credential; of vendors whose credential is made per call: none yet. */
export function authHeaders({ auth, organizationHeader }: Vendor, key: string, organization: string): Record<string, string> {
  if (auth.kind === 'google' || auth.kind === 'aws') return {}
  const credential = auth.kind === 'bearer' ? { authorization: `Bearer ${key}` } : { [auth.name]: key }
  if (organizationHeader === undefined || organization === '') return credential
  return { ...credential, [organizationHeader.toLowerCase()]: organization }
}
