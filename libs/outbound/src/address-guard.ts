import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

export type AddressGuard = {
  /** The reason why a connection to this address and port is blocked; undefined if it is allowed. */
  refuse(address: string, port: number): string | undefined
  /** The same for a name that a proxy resolves, and of which only the name is known here. */
  refuseName(hostname: string, port: number): string | undefined
}

type GuardOptions = {
  /** Private CIDR ranges that are allowed. */
  readonly allow: readonly string[]
  /**
   * The gateway's own listeners and stores, which no channel may reach, as `host:port`. A loopback host stands for every address of this
   * machine. `*:port` blocks the port on every private address as well: stores are often reachable under addresses that we do not know.
   */
  readonly own: readonly string[]
}

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = readonly [Address, number]

/** Cloud metadata services outside the link-local range: Alibaba, Azure, AWS over IPv6. */
const METADATA = ['100.100.100.200', '168.63.129.16', 'fd00:ec2::254'].map((text) => ipaddr.parse(text).toString())
const NEVER = new Set(['linkLocal', 'unspecified', 'broadcast', 'multicast'])

/**
 * Checks addresses after DNS resolution, at connect, which protects against server-side request forgery and DNS rebinding. Link-local
 * addresses, metadata services and our own listeners are always blocked; other non-public ranges unless the operator allows them.
 */
export function createAddressGuard({ allow, own }: GuardOptions): AddressGuard {
  const allowed = allow.map(parseRange)
  const ours = readOwn(own)
  return {
    refuse: (text, port) => {
      const address = readAddress(text)
      if (address === undefined) return 'not an address'
      if (NEVER.has(address.range())) return address.range()
      if (METADATA.includes(address.toString())) return 'metadata service'
      const isPublic = address.range() === 'unicast'
      if (ours.has(address, port)) return 'own port'
      if (isPublic || allowed.some((range) => isInside(address, range))) return undefined
      return `${address.range()} range`
    },
    refuseName: (hostname, port) => (ours.hasName(hostname.toLowerCase().replace(/\.$/, ''), port) ? 'own port' : undefined),
  }
}

type Own = { has(address: Address, port: number): boolean; hasName(hostname: string, port: number): boolean }

function readOwn(list: readonly string[]): Own {
  const everywhere = new Set<number>()
  const here = new Set<number>()
  const named = new Map<number, OwnHost[]>()
  for (const [host, port] of list.map(splitEntry)) {
    if (host === '*') everywhere.add(port)
    else if (isThisMachine(host)) here.add(port)
    else named.set(port, [...(named.get(port) ?? []), createOwnHost(host)])
  }
  return {
    has: (address, port) => {
      if (!everywhere.has(port) && !here.has(port) && !named.has(port)) return false
      // Read here and not at start: interfaces come and go, and a call to one of these ports is rare.
      const isHere = address.range() === 'loopback' || listInterfaces().includes(address.toString())
      if (isHere && (everywhere.has(port) || here.has(port))) return true
      if (everywhere.has(port) && address.range() !== 'unicast') return true
      return (named.get(port) ?? []).some((host) => host.has(address))
    },
    hasName: (hostname, port) => {
      if (hostname === 'localhost' || hostname.endsWith('.localhost')) return everywhere.has(port) || here.has(port)
      return everywhere.has(port) || (named.get(port) ?? []).some(({ name }) => name === hostname)
    },
  }
}

function splitEntry(entry: string): readonly [string, number] {
  const [, host, port] = /^(.+):(\d+)$/.exec(entry) ?? []
  if (host === undefined) throw new Error(`"${entry}" is not host:port`)
  return [host.replace(/^\[|\]$/g, '').toLowerCase(), Number(port)]
}

function isThisMachine(host: string): boolean {
  if (host === 'localhost' || host.endsWith('.localhost')) return true
  const range = readAddress(host)?.range()
  return range === 'loopback' || range === 'unspecified'
}

type OwnHost = { readonly name: string; has(address: Address): boolean }

const RESOLVE_EVERY_MS = 30_000

/** The addresses of a host, resolved at start and again when it is asked for after 30 s. A failed look-up keeps the last answer. */
function createOwnHost(host: string): OwnHost {
  let addresses: ReadonlySet<string> = new Set([readAddress(host)?.toString() ?? ''])
  let resolvedAt = Number.NEGATIVE_INFINITY
  const resolve = (): void => {
    if (isIP(host) !== 0 || performance.now() - resolvedAt < RESOLVE_EVERY_MS) return
    resolvedAt = performance.now()
    lookup(host, { all: true }).then(
      (found) => (addresses = new Set(found.map(({ address }) => readAddress(address)?.toString() ?? ''))),
      () => undefined,
    )
  }
  resolve()
  return {
    name: host,
    has: (address) => {
      resolve()
      return addresses.has(address.toString())
    },
  }
}

function readAddress(text: string): Address | undefined {
  const bare = text.startsWith('[') ? text.slice(1, -1) : text
  if (!ipaddr.isValid(bare)) return undefined
  // `process` normalises IPv4-mapped IPv6 addresses, so that ::ffff:127.0.0.1 counts as loopback.
  const address = ipaddr.process(bare)
  return address instanceof ipaddr.IPv6 ? withoutCompatiblePrefix(address) : address
}

/** The deprecated IPv4-compatible form ::127.0.0.1: https://www.rfc-editor.org/rfc/rfc4291#section-2.5.5.1 */
function withoutCompatiblePrefix(address: ipaddr.IPv6): Address {
  const bytes = address.toByteArray()
  if (address.range() !== 'unicast' || bytes.slice(0, 12).some((byte) => byte !== 0)) return address
  return new ipaddr.IPv4(bytes.slice(12))
}

function parseRange(text: string): Range {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

function isInside(address: Address, [network, bits]: Range): boolean {
  return address.kind() === network.kind() && address.match(network, bits)
}

function listInterfaces(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return addresses.flatMap(({ address }) => readAddress(address.replace(/%.*$/, ''))?.toString() ?? [])
}
