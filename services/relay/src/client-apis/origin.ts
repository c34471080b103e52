import { readHeader } from '../identity/credentials.ts'
import type { RequestContext } from '../request/context.ts'

/** This server as the client sees it. */
export function originOf({ incoming: { headers } }: RequestContext): string {
  const scheme = readHeader(headers, 'x-forwarded-proto') === 'https' ? 'https' : 'http'
  return `${scheme}://${headers.host ?? 'localhost'}`
}
