import { lookup, Resolver } from 'node:dns/promises'
import { ADDRCONFIG, type LookupAddress, type RecordWithTtl } from 'node:dns'
import { networkInterfaces } from 'node:os'
import { OutboundError } from '../errors.ts'

export type Found = { readonly addresses: readonly LookupAddress[]; readonly ttl_s: number }
type Query = { readonly timeoutMs: number; readonly servers: readonly string[] }

/** A server that does not answer within this time is passed over for the next. */
const SERVER_MS = 2000
const TRIES = 2
/** DNS said that the name, or its addresses, do not exist. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])
/** How much longer than for IPv4 an answer for IPv6 is waited for: some servers never answer these queries. */
const IPV6_GRACE_MS = 500

/**
 * Queries DNS for the first of the names that exists, without the threads of the runtime. 'absent': none exists. Throws OutboundError
 * when the servers do not answer in time, or not usably.
 */
export async function queryFirst(names: readonly string[], { timeoutMs, servers }: Query): Promise<Found | 'absent'> {
  const resolver = new Resolver({ timeout: SERVER_MS, tries: TRIES })
  if (servers.length > 0) resolver.setServers(servers)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    resolver.cancel()
  }, timeoutMs)
  let failure: unknown
  try {
    for (const name of names) {
      const found = await query(name, resolver).catch((error: unknown) => (failure = error))
      if (isLate) break
      if (isFound(found)) return found
    }
  } finally {
    clearTimeout(timer)
    resolver.cancel()
  }
  if (isLate) throw new OutboundError('dns', `no answer for the name ${names[0]} within ${timeoutMs} ms`)
  if (failure === undefined) return 'absent'
  throw new OutboundError('dns', `the name ${names[0]} cannot be looked up: ${codeOf(failure)}`, { cause: failure })
}

function isFound(found: unknown): found is Found {
  return typeof found === 'object' && found !== null && 'addresses' in found
}

/** IPv6 first, as the system orders them on a machine that has it. */
async function query(name: string, resolver: Resolver): Promise<Found | 'absent'> {
  const v4 = unlessAbsent(resolver.resolve4(name, { ttl: true }))
  const v6 = hasIpv6() ? unlessAbsent(resolver.resolve6(name, { ttl: true })) : Promise.resolve([])
  const late: Promise<readonly RecordWithTtl[]> = v4.then(
    () => new Promise((resolve) => void setTimeout(() => resolve([]), IPV6_GRACE_MS).unref()),
    () => v6,
  )
  const [four, six] = await Promise.allSettled([v4, Promise.race([v6, late])])
  const found = [...addressesOf(six, 6), ...addressesOf(four, 4)]
  if (found.length > 0) return { addresses: found.map(({ address, family }) => ({ address, family })), ttl_s: shortest(found) }
  if (four.status === 'rejected') throw four.reason
  if (six.status === 'rejected') throw six.reason
  return 'absent'
}

type Addressed = LookupAddress & Pick<RecordWithTtl, 'ttl'>

function addressesOf(result: PromiseSettledResult<readonly RecordWithTtl[]>, family: 4 | 6): Addressed[] {
  return result.status === 'rejected' ? [] : result.value.map(({ address, ttl }) => ({ address, family, ttl }))
}

const shortest = (records: readonly Addressed[]): number => Math.min(...records.map(({ ttl }) => ttl))

async function unlessAbsent(records: Promise<RecordWithTtl[]>): Promise<readonly RecordWithTtl[]> {
  try {
    return await records
  } catch (error) {
    if (ABSENT.has(codeOf(error))) return []
    throw error
  }
}

/** True if the machine can reach IPv6 addresses beside its own. */
function hasIpv6(): boolean {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return all.some(({ family, internal, address }) => family === 'IPv6' && !internal && !address.toLowerCase().startsWith('fe80:'))
}

/** Asks the system, which knows names beside DNS and the hosts file (NSS), on one of the runtime's threads. Throws OutboundError. */
export async function querySystem(name: string): Promise<Found> {
  try {
    return { addresses: await lookup(name, { all: true, hints: ADDRCONFIG }), ttl_s: 0 }
  } catch (cause) {
    throw new OutboundError('dns', `the name ${name} is not known: ${codeOf(cause)}`, { cause })
  }
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown'
}
