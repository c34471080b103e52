import type { Vendor } from './vendor.ts'

/** The gateway of Cloudflare has vendors' paths without their version: https://developers.cloudflare.com/ai-gateway/providers/openai/ */
const CLOUDFLARE_GATEWAY = 'https://gateway.ai.cloudflare.com'

/** The address of a chat call: the channel's base URL, else the vendor's; `undefined` when neither names one. */
export function chatUrl(vendor: Vendor, base_url: string, model: string): string | undefined {
  const base = (base_url === '' ? vendor.baseUrl : base_url).replace(/\/+$/, '')
  if (base === '') return undefined
  if (vendor.address.kind === 'whole') return base.replaceAll('{model}', model.split('/').map(encodeURIComponent).join('/'))
  const path = vendor.address.chat(model)
  return `${base}${base.startsWith(CLOUDFLARE_GATEWAY) ? path.replace(/^\/v1(?=\/)/, '') : path}`
}

/** The headers that carry the credential. */
export function authHeaders(vendor: Vendor, key: string, organization: string): Record<string, string> {
  const credential = vendor.auth.kind === 'bearer' ? { authorization: `Bearer ${key}` } : { [vendor.auth.name]: key }
  if (vendor.organizationHeader === undefined || organization === '') return credential
  return { ...credential, [vendor.organizationHeader.toLowerCase()]: organization }
}
