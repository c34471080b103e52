import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { isLoopback } from './client-ip.ts'

/** Headers with which a proxy, or a client that pretends to be one, names another client, host or protocol. */
export const FORWARDING_HEADERS: ReadonlySet<string> = new Set([
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-forwarded-server',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
])

type Incoming = Pick<IncomingMessage, 'headers' | 'httpVersion'> & { readonly socket: { readonly remoteAddress?: string | undefined } }

/**
 * True if a program on this machine made the call itself: the peer is loopback and nothing says that a proxy forwarded it. nginx with
 * its default settings adds no header and names its own upstream as the host, but it speaks HTTP/1.0.
 */
export function isDirectLocalCall({ headers, httpVersion, socket }: Incoming): boolean {
  if (!isLoopback(socket.remoteAddress ?? '') || httpVersion === '1.0') return false
  return !Object.keys(headers).some((name) => FORWARDING_HEADERS.has(name))
}

/** The name or address in a `Host` header, in lower case, without port, brackets and the dot of a fully qualified name. */
export function hostnameOf(host: string): string {
  const name = /^\[([^\]]*)\](?::\d*)?$/.exec(host)?.[1] ?? host.replace(/:\d*$/, '')
  return name.trim().toLowerCase().replace(/\.$/, '')
}

export function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || (isIP(hostname) !== 0 && isLoopback(hostname))
}

/** An address or a name without a dot: it cannot be registered and pointed elsewhere, as DNS rebinding needs. */
export function isUnregistrableName(hostname: string): boolean {
  return isIP(hostname) !== 0 || !hostname.includes('.') || isLoopbackName(hostname)
}

/** True if a URL's host and port are those of a `Host` header; the URL's protocol gives the port that the header leaves out. */
export function isSameHost(origin: URL, host: string): boolean {
  const own = URL.parse(`${origin.protocol}//${host}`)
  return own !== null && own.host === origin.host
}
