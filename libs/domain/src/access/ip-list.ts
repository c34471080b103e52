import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = [Address, number]

/** A list as it is compared, and the last answer: lists belong to records that are read once and asked about many times. */
type Read = { readonly ranges: readonly Range[]; ip: string; isAllowed: boolean }

const known = new WeakMap<readonly string[], Read>()

/** Lists recur: an organisation gives all of its tokens the same. */
const MAX_TEXTS = 1000
const byText = new Map<string, Read>()

/**
 * Whether an address is on a token's list of addresses and CIDR ranges. An empty list lets everyone in; an entry or an address
 * that cannot be read matches nothing. IPv4 inside IPv6 (`::ffff:192.0.2.1`) is the IPv4 address. The list is read once: it must
 * not be changed afterwards.
 */
export function isIpAllowed(ip: string, list: readonly string[]): boolean {
  if (list.length === 0) return true
  const read = known.get(list) ?? readList(list)
  if (read.ip !== ip) {
    const address = parseAddress(ip)
    read.ip = ip
    read.isAllowed = address !== undefined && read.ranges.some((range) => covers(range, address))
  }
  return read.isAllowed
}

function readList(list: readonly string[]): Read {
  const text = JSON.stringify(list)
  const read = byText.get(text) ?? parseList(list)
  if (byText.size >= MAX_TEXTS) byText.clear()
  byText.set(text, read)
  known.set(list, read)
  return read
}

function parseList(list: readonly string[]): Read {
  return { ranges: list.map((entry) => parseEntry(entry.trim())).filter((range) => range !== undefined), ip: '', isAllowed: false }
}

function covers(range: Range, address: Address): boolean {
  return range[0].kind() === address.kind() && address.match(range)
}

/** A single address is the range of its full length. */
function parseEntry(entry: string): Range | undefined {
  return entry.includes('/') ? parseRange(entry) : parseSingle(entry)
}

function parseSingle(entry: string): Range | undefined {
  const address = parseAddress(entry)
  return address && [address, address.kind() === 'ipv4' ? 32 : 128]
}

function parseAddress(text: string): Address | undefined {
  return isStrict(text) ? ipaddr.process(text) : undefined
}

function parseRange(text: string): Range | undefined {
  if (!ipaddr.isValidCIDR(text) || !isStrict(text.slice(0, text.indexOf('/')))) return undefined
  const [address, bits] = ipaddr.parseCIDR(text)
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96) return [address.toIPv4Address(), bits - 96]
  return [address, bits]
}

/** Refuses the shortened and octal spellings of IPv4 that read differently elsewhere. */
function isStrict(text: string): boolean {
  return text.includes(':') ? ipaddr.IPv6.isValid(text) : ipaddr.IPv4.isValidFourPartDecimal(text)
}
