import { BoundedMap } from '@tollgate/contracts/values/bounded-map'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = [Address, number]

/** A parsed list with its last lookup: one record is checked for many requests, often from one address. */
type ParsedList = { readonly ranges: readonly Range[]; ip: string; isAllowed: boolean }

const known = new WeakMap<readonly string[], ParsedList>()

/** Parsed lists are shared by text, because many tokens of an organisation have the same list. */
const RANGE_BYTES = 250
const byText = new BoundedMap<ParsedList>(500, { max: 8 * 1024 * 1024, of: ({ ranges }) => RANGE_BYTES * ranges.length })

/**
 * True if an address is on a token's list of addresses and CIDR ranges. An empty list allows every address; invalid entries and
 * addresses match nothing. IPv4-mapped IPv6 addresses (`::ffff:192.0.2.1`) are normalised to IPv4. The parsed list is cached, so it must
 * not be modified.
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

function readList(list: readonly string[]): ParsedList {
  const text = JSON.stringify(list)
  const found = byText.get(text)
  const read = found ?? parseList(list)
  if (found === undefined) byText.set(text, read)
  known.set(list, read)
  return read
}

function parseList(list: readonly string[]): ParsedList {
  return { ranges: list.map((entry) => parseEntry(entry.trim())).filter((range) => range !== undefined), ip: '', isAllowed: false }
}

function covers(range: Range, address: Address): boolean {
  return range[0].kind() === address.kind() && address.match(range)
}

/** A single address is a range with the full prefix length. */
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

/** Rejects shortened and octal IPv4 notations, which parsers interpret differently. */
function isStrict(text: string): boolean {
  return text.includes(':') ? ipaddr.IPv6.isValid(text) : ipaddr.IPv4.isValidFourPartDecimal(text)
}
