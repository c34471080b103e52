import type { IncomingHttpHeaders } from 'node:http'
import ipaddr from 'ipaddr.js'

type Incoming = {
  readonly headers: IncomingHttpHeaders
  readonly socket: { readonly remoteAddress?: string | undefined }
}

/**
 * The client's address: the socket's peer, or, when the peer is a trusted proxy, the last address in `X-Forwarded-For` that is
 * not a trusted proxy. The header of an untrusted peer is ignored. IPv4-mapped IPv6 addresses become IPv4.
 */
export function clientIp(incoming: Incoming, trusted: readonly string[]): string {
  const peer = peerOf(incoming.socket)
  if (trusted.length === 0 || !isWithin(peer, trusted)) return peer
  const header = incoming.headers['x-forwarded-for']
  const hops = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').map((hop) => plainAddress(hop.trim()))
  let client = peer
  for (const hop of hops.reverse()) {
    if (hop === undefined) return client
    client = hop
    if (!isWithin(hop, trusted)) return client
  }
  return client
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

/** Whether the address lies in one of the CIDR ranges (a bare address is a range of one). The list is parsed once and cached: do not mutate it. */
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
