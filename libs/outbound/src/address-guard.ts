import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

export type AddressGuard = {
  /** The reason why a connection to this address and port is blocked; undefined if it is allowed. */
  refuse(address: string, port: number): string | undefined
}

type GuardOptions = {
  /** Private CIDR ranges that are allowed. */
  readonly allow: readonly string[]
  /** Ports of the gateway's own Redis, Postgres and internal listeners: always blocked on private and local addresses. */
  readonly ownPorts: readonly number[]
}

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = readonly [Address, number]

/** Cloud metadata services outside the link-local range: Alibaba, Azure, AWS over IPv6. */
const METADATA = ['100.100.100.200', '168.63.129.16', 'fd00:ec2::254'].map((text) => ipaddr.parse(text).toString())
const NEVER = new Set(['linkLocal', 'unspecified', 'broadcast', 'multicast'])

/**
 * Checks addresses after DNS resolution, at connect, which protects against server-side request forgery and DNS rebinding. Link-local
 * addresses, metadata services and own ports are always blocked; other non-public ranges are blocked unless the operator allows them.
 */
export function createAddressGuard({ allow, ownPorts }: GuardOptions): AddressGuard {
  const allowed = allow.map(parseRange)
  const closedPorts = new Set(ownPorts)
  const ownAddresses = new Set(listOwnAddresses())
  return {
    refuse: (text, port) => {
      const address = readAddress(text)
      if (address === undefined) return 'not an address'
      if (NEVER.has(address.range())) return address.range()
      if (METADATA.includes(address.toString())) return 'metadata service'
      const isPublic = address.range() === 'unicast'
      if (closedPorts.has(port) && (!isPublic || ownAddresses.has(address.toString()))) return 'own port'
      if (isPublic || allowed.some((range) => isInside(address, range))) return undefined
      return `${address.range()} range`
    },
  }
}

function readAddress(text: string): Address | undefined {
  const bare = text.startsWith('[') ? text.slice(1, -1) : text
  // `process` normalises IPv4-mapped IPv6 addresses, so that ::ffff:127.0.0.1 counts as loopback.
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : undefined
}

function parseRange(text: string): Range {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

function isInside(address: Address, [network, bits]: Range): boolean {
  return address.kind() === network.kind() && address.match(network, bits)
}

function listOwnAddresses(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return addresses
    .map(({ address }) => address.replace(/%.*$/, ''))
    .filter((text) => ipaddr.isValid(text))
    .map((text) => ipaddr.process(text).toString())
}
