import type { PreparedCall } from './call.ts'

export const MAX_REDIRECTS = 3

/**
 * The call to the new address of a 307 or 308, which asks for the same method and body. Only within the vendor's own host: the headers
 * contain the channel's key. A signed call is bound to its path. Undefined: the answer is returned as it is.
 */
export function followRedirect(call: PreparedCall, status: number, location: string | undefined): PreparedCall | undefined {
  if ((status !== 307 && status !== 308) || location === undefined || isSigned(call)) return undefined
  const from = new URL(call.origin + call.path)
  const to = URL.parse(location, from.href)
  if (to === null || !isSameHost(from, to)) return undefined
  return { ...call, origin: to.origin, path: to.pathname + to.search }
}

function isSameHost(from: URL, to: URL): boolean {
  if (to.hostname !== from.hostname) return false
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === ''
  return isUpgrade || (to.protocol === from.protocol && to.port === from.port)
}

function isSigned({ headers }: PreparedCall): boolean {
  return headers.some((value) => value.startsWith('AWS4-HMAC-SHA256'))
}
