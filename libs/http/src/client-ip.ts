import type { IncomingHttpHeaders } from 'node:http'
import ipaddr from 'ipaddr.js'

type Incoming = {
  readonly headers: IncomingHttpHeaders
  readonly socket: { readonly remoteAddress?: string | undefined }
}

/**
 * The client's address: the socket's peer, or, when the peer is a trusted proxy, the last address in `X-Forwarded-For` that is
 * not a trusted proxy. The header of an untrusted peer is ignored. IPv4-mapped IPv6 addresses become IPv4. Empty when the address
 * cannot be read: the caller refuses the request, because the proxy's own address could be loopback.
 */
export function clientIp(incoming: Incoming, trusted: readonly string[]): string {
  const peer = peerOf(incoming.socket)
  if (trusted.length === 0 || !isWithin(peer, trusted)) return peer
  const header = incoming.headers['x-forwarded-for']
  if (header === undefined) return peer
  let client = peer
  for (const text of String(header).split(',').reverse()) {
    const hop = plainAddress(withoutPort(text.trim()))
    if (hop === undefined) return ''
    client = hop
    if (!isWithin(hop, trusted)) return client
  }
  return client
}

/** Some proxies write the client's port too: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
}

const peers = new WeakMap<Incoming['socket'], string>()

/** Parsed once per connection. */
function peerOf(socket: Incoming['socket']): string {
  const known = peers.get(socket)
  if (known !== undefined) return known
  const peer = plainAddress(socket.remoteAddress ?? '') ?? ''
  peers.set(socket, peer)
  return peer
}

/** True if the address lies in one of the CIDR ranges (a bare address is a range of one). The list is parsed once and cached: do not mutate it. */
export function isWithin(address: string, ranges: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return rangesOf(ranges).some(([base, bits]) => parsed.kind() === base.kind() && parsed.match(base, bits))
}

type Range = readonly [base: ipaddr.IPv4 | ipaddr.IPv6, bits: number]
const read = new WeakMap<readonly string[], readonly Range[]>()

function rangesOf(list: readonly string[]): readonly Range[] {
  const known = read.get(list)
  if (known !== undefined) return known
  const ranges = list.map(parseRange).filter((range) => range !== undefined)
  read.set(list, ranges)
  return ranges
}

/** The part of an address that limits count by: a single IPv6 customer has at least a /64 of addresses. */
export function addressBlock(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${new ipaddr.IPv6([...parsed.toByteArray().slice(0, 8), ...Array<number>(8).fill(0)]).toString()}/64`
}

export function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}

function plainAddress(text: string): string | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text).toString() : undefined
}

/** Undefined when the text is no address and no range. */
function parseRange(range: string): Range | undefined {
  if (ipaddr.isValidCIDR(range)) return ipaddr.parseCIDR(range)
  if (!ipaddr.isValid(range)) return undefined
  const address = ipaddr.process(range)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}
