import ipaddr from 'ipaddr.js'

/**
 * Whether an address is on a token's list of addresses and CIDR ranges. An empty list lets everyone in; an entry or an address
 * that cannot be read matches nothing. IPv4 inside IPv6 (`::ffff:192.0.2.1`) is the IPv4 address.
 */
export function isIpAllowed(ip: string, list: readonly string[]): boolean {
  if (list.length === 0) return true
  const address = parseAddress(ip)
  return address !== undefined && list.some((entry) => covers(entry.trim(), address))
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

function covers(entry: string, address: Address): boolean {
  if (!entry.includes('/')) return parseAddress(entry)?.toNormalizedString() === address.toNormalizedString()
  const range = parseRange(entry)
  return range !== undefined && range[0].kind() === address.kind() && address.match(range)
}

function parseAddress(text: string): Address | undefined {
  return isStrict(text) ? ipaddr.process(text) : undefined
}

function parseRange(text: string): [Address, number] | undefined {
  if (!ipaddr.isValidCIDR(text) || !isStrict(text.slice(0, text.indexOf('/')))) return undefined
  const [address, bits] = ipaddr.parseCIDR(text)
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96) return [address.toIPv4Address(), bits - 96]
  return [address, bits]
}

/** Refuses the shortened and octal spellings of IPv4 that read differently elsewhere. */
function isStrict(text: string): boolean {
  return text.includes(':') ? ipaddr.IPv6.isValid(text) : ipaddr.IPv4.isValidFourPartDecimal(text)
}
