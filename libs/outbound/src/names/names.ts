import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { BoundedMap } from '@tollgate/contracts/values/bounded-map'
import { Budget, type BudgetLimits, type Owner } from '@tollgate/shares/budget'
import { OutboundError } from '../errors.ts'
import { queryFirst, querySystem, type Found } from './dns-query.ts'
import { createSystemFiles, namesToTry, type SystemFiles } from './system-files.ts'

/** Looks up host names, with a time limit, a cache, and a bound on what runs at once. */
export type Names = {
  /** Throws OutboundError. */
  resolve(hostname: string, given?: NameOwner): Promise<readonly LookupAddress[]>
}

/** Who gave a name, if that is no operator. */
export type NameOwner = {
  readonly owner: Owner
  /** True if the answer is still needed when its turn comes. */
  readonly isWanted?: () => boolean
}

type Options = {
  /** `address[:port]` of DNS servers; empty: the system's. */
  readonly servers?: readonly string[]
  readonly timeoutMs: number
  readonly budget: BudgetLimits
  /** Names that DNS and the hosts file do not know are looked up by the system as well. */
  readonly usesSystem: boolean
  readonly files?: SystemFiles
}

type Cached = { readonly result: readonly LookupAddress[] | OutboundError; readonly until: number; readonly staleUntil: number }

const MAX_CACHED = 1000
/** An answer is kept at least this long, so that the address that was checked is the one that is connected to. */
const MIN_TTL_MS = 5000
const MAX_TTL_MS = 60_000
/** How long a failure is kept: it answers everything that names the same host. */
const FAILED_MS = 3000
/** An older answer serves while DNS fails: https://www.rfc-editor.org/rfc/rfc8767 */
const STALE_MS = 600_000
/** Look-ups by the system at once: half of the runtime's threads. */
const SYSTEM = { name: 'system_look_ups', total: 2, queue: { maxWaitMs: 3000, maxWaiting: 100, maxWaitingPerOwner: 100 } } as const

/** For hosts that operators name: vendors, mail servers, proxies. */
export function createOperatorNames(servers: readonly string[] = []): Names {
  const budget = { name: 'look_ups', total: 256, queue: { maxWaitMs: 5000, maxWaiting: 5000, maxWaitingPerOwner: 5000 } }
  return createNames({ servers, timeoutMs: 5000, budget, usesSystem: true })
}

/** For hosts that users name. They never take one of the runtime's threads. */
export function createUserNames(servers: readonly string[] = []): Names {
  const queue = { maxWaitMs: 6000, maxWaiting: 1000, maxWaitingPerOwner: 64 }
  return createNames({ servers, timeoutMs: 3000, budget: { name: 'user_look_ups', total: 64, perUser: 4, queue }, usesSystem: false })
}

export function createNames({ servers = [], timeoutMs, budget, usesSystem, files = createSystemFiles() }: Options): Names {
  const cache = new BoundedMap<Cached>(MAX_CACHED)
  const running = new Map<string, Promise<readonly LookupAddress[]>>()
  const lookups = new Budget(budget)

  const find = createFinder({ servers, timeoutMs, usesSystem, files })
  const lookUp = async (name: string): Promise<readonly LookupAddress[]> => {
    const before = cache.get(name)
    try {
      const found = await find(name)
      if (found instanceof OutboundError) remember(cache, name, found, FAILED_MS)
      else remember(cache, name, found.addresses, Math.min(MAX_TTL_MS, Math.max(MIN_TTL_MS, found.ttl_s * 1000)))
      if (found instanceof OutboundError) throw found
      return found.addresses
    } catch (error) {
      if (!(error instanceof OutboundError) || cache.get(name)?.result === error) throw error
      if (before === undefined || before.result instanceof OutboundError || before.staleUntil < performance.now()) {
        remember(cache, name, error, FAILED_MS)
        throw error
      }
      cache.set(name, { ...before, until: performance.now() + FAILED_MS })
      return before.result
    } finally {
      running.delete(name)
    }
  }
  /** The answer that is known, or that is already waited for. */
  const known = (name: string): Promise<readonly LookupAddress[]> | undefined => {
    const cached = cache.get(name)
    if (cached === undefined || cached.until <= performance.now()) return running.get(name)
    return cached.result instanceof OutboundError ? Promise.reject(cached.result) : Promise.resolve(cached.result)
  }
  const begin = (name: string): Promise<readonly LookupAddress[]> => {
    const looking = lookUp(name)
    running.set(name, looking)
    return looking
  }

  return {
    resolve: async (hostname, { owner, isWanted = always } = OPERATOR) => {
      const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
      const family = isIP(bare)
      if (family !== 0) return [{ address: bare, family }]
      const name = hostname.toLowerCase()
      const own = ownAddressesOf(name.replace(/\.$/, ''), files)
      if (own !== undefined) return own
      // An answer that others wait for in the queue is not waited for: each owner has turns of its own.
      return await (known(name) ?? inTurn(lookups, owner, () => known(name) ?? (isWanted() ? begin(name) : unwanted())))
    },
  }
}

type FinderOptions = Required<Pick<Options, 'servers' | 'timeoutMs' | 'usesSystem' | 'files'>>

/** Looks names up in DNS, and for operators in the system. An error as a result: the name does not exist. */
function createFinder({ servers, timeoutMs, usesSystem, files }: FinderOptions): (name: string) => Promise<Found | OutboundError> {
  const system = new Budget(SYSTEM)
  const search = () => (servers.length > 0 ? NO_SEARCH : files.search())
  return async (name) => {
    let isAbsent = false
    try {
      const found = await queryFirst(namesToTry(name, search()), { timeoutMs, servers })
      if (found !== 'absent') return found
      isAbsent = true
    } catch (error) {
      if (!usesSystem || isSilence(error)) throw error
    }
    if (!usesSystem) return noSuchName(name)
    try {
      return await inTurn(system, {}, () => querySystem(name))
    } catch (error) {
      if (isAbsent && error instanceof OutboundError) return error
      throw error
    }
  }
}

/** With the runtime's own code, so that it can be told from a name that could not be looked up. */
const noSuchName = (name: string): OutboundError =>
  new OutboundError('dns', `the name ${name} does not exist`, { cause: Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }) })

const always = () => true
const OPERATOR: NameOwner = { owner: {} }
const unwanted = () => Promise.reject(new OutboundError('aborted', 'aborted before its name was looked up'))

/** Names of this machine: https://www.rfc-editor.org/rfc/rfc6761#section-6.3 */
function ownAddressesOf(name: string, files: SystemFiles): readonly LookupAddress[] | undefined {
  const listed = files.hosts().get(name)
  if (listed !== undefined) return listed
  return name === 'localhost' || name.endsWith('.localhost') ? LOOPBACK : undefined
}

const NO_SEARCH = { domains: [], ndots: 1 }

const LOOPBACK: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/** Servers that do not answer DNS do not answer the system either, which would wait for them on a thread. */
function isSilence(error: unknown): boolean {
  return error instanceof OutboundError && (error.cause === undefined || (error.cause as { code?: unknown }).code === 'ETIMEOUT')
}

async function inTurn<T>(budget: Budget, owner: Owner, work: () => Promise<T>): Promise<T> {
  const share = await budget.take(owner)
  if (typeof share === 'string') throw new OutboundError('timeout', `too many names are looked up (${budget.limits.name}: ${share})`)
  try {
    return await work()
  } finally {
    share.release()
  }
}

function remember(cache: BoundedMap<Cached>, name: string, result: Cached['result'], ms: number): void {
  const now = performance.now()
  cache.set(name, { result, until: now + ms, staleUntil: now + STALE_MS })
}
