import { isDeepStrictEqual } from 'node:util'
import { AppError } from '@tollgate/contracts/app-error'
import type { TokenRecord } from '@tollgate/contracts/relay/internal-api'
import { hashTokenKey } from '@tollgate/config/sealing'
import { TtlMap } from '@tollgate/ledger/ttl-map'
import { getTokenRecord } from '@tollgate/redis/stores/token-store'
import type { Redis } from '@tollgate/redis/connect'
import { withTimeout } from '@tollgate/redis/with-timeout'
import type { ControlPlane } from '../control-plane/client.ts'
import { traceparentOf, type RequestContext } from '../request/context.ts'
import type { AddressLimit } from './address-limit.ts'
import { BoundedMap } from '@tollgate/contracts/values/bounded-map'
import { maskKey, MAX_CREDENTIAL, parseTokenKey } from './token-key.ts'

/** The known facts about a credential. `record` is null if no token has this key. */
export type Identity = {
  readonly record: TokenRecord | null
  readonly masked: string
  readonly pin: string | undefined
  /** When it was read, in the caller's milliseconds. */
  readonly read_at: number
}

/** The request of a look-up: its address is rate limited, its trace is forwarded to the control plane. */
type Source = Pick<RequestContext, 'ip' | 'incoming'>

export type Identities = {
  /** Looks in memory, then Redis, then at the control plane. Throws ledger.cold when neither can be reached. */
  find(credential: string, source: Source, maxAgeMs?: number): Promise<Identity> | Identity
  forget(credential: string): void
  /**
   * Drops an identity whose record is older than the ledger's, and accepts only newer records from Redis: a Redis that was restored from
   * an older state holds records from before changes that are in Postgres.
   */
  distrust(credential: string): void
}

type Options = {
  readonly redis: Redis
  readonly controlPlane: ControlPlane
  readonly unknownKeys: AddressLimit
  readonly now: () => number
}

const CAPACITY = 10_000
/** Ten thousand usual records take a fraction of it; records with the longest lists allowed are kept fewer. */
const MAX_BYTES = 32 * 1024 * 1024
const RECORD_BYTES = 1000
/** An address with its parsed form. */
const ADDRESS_BYTES = 300
/** A known key is read again after this time. Changes take effect earlier, by the `stale` result of reserve. */
const KNOWN_MS = 60_000
const UNKNOWN_MS = 5_000
/** The connection itself has no limit: a Redis that hangs would keep every key that is not in memory waiting. */
const ANSWER_WITHIN_MS = 500

/** Finds identities by credential. The cache is keyed by the raw text, so a hit needs no hash; running look-ups are shared. */
export function createIdentities({ redis, controlPlane, unknownKeys, now }: Options): Identities {
  const known = new BoundedMap<Identity>(CAPACITY, { max: MAX_BYTES, of: ({ record }) => sizeOf(record) })
  const outdated = new BoundedMap<TokenRecord>(CAPACITY, { max: MAX_BYTES, of: sizeOf })
  const pending = new TtlMap<Promise<Identity>>()

  const read = async (credential: string, source: Source): Promise<Identity> => {
    const parsed = parseTokenKey(credential)
    if (parsed === undefined) throw new AppError(credential === '' ? 'token.missing' : 'token.invalid')
    const found = await findRecord(hashTokenKey(parsed.key), source, outdated.get(credential))
    outdated.delete(credential)
    const before = known.get(credential)?.record ?? null
    // An unchanged record stays the same object, because caches such as that of parsed address lists are keyed by it.
    const record = before !== null && isDeepStrictEqual(before, found) ? before : found
    const identity = { record, masked: maskKey(parsed.key), pin: parsed.pin, read_at: now() }
    known.set(credential, identity)
    return identity
  }
  const findRecord = async (hash: string, { ip, incoming }: Source, stale: TokenRecord | undefined): Promise<TokenRecord | null> => {
    // Without Redis, the control plane may still have it.
    const cached = await withTimeout(getTokenRecord(redis, hash), ANSWER_WITHIN_MS, 'Redis did not answer').catch(() => undefined)
    if (cached !== undefined && (stale === undefined || isNewer(cached, stale))) return cached
    const wait = unknownKeys.waitOf(ip, now())
    if (wait > 0) throw new AppError('rate.unknown-keys', { retry_after_ms: wait })
    const record = await controlPlane.lookUp(hash, traceparentOf(incoming)).catch((cause: unknown) => {
      throw new AppError('ledger.cold', {}, { cause })
    })
    if (record === null) unknownKeys.count(ip, now())
    return record
  }
  return {
    find: (credential, source, maxAgeMs = KNOWN_MS) => {
      // Caches are keyed by the text, whose end is free: an endless supply of long ones would fill them.
      if (credential.length > MAX_CREDENTIAL) throw new AppError('token.invalid')
      const found = known.get(credential)
      if (found !== undefined && now() - found.read_at < (found.record === null ? UNKNOWN_MS : maxAgeMs)) return found
      const running = pending.get(credential)
      if (running !== undefined) return running
      const lookUp = read(credential, source).finally(() => pending.delete(credential))
      pending.set(credential, lookUp)
      return lookUp
    },
    forget: (credential) => known.delete(credential),
    distrust: (credential) => {
      const record = known.get(credential)?.record
      if (record !== undefined && record !== null) outdated.set(credential, record)
      known.delete(credential)
    },
  }
}

/** Approximate bytes that a record keeps in memory. */
function sizeOf(record: TokenRecord | null): number {
  if (record === null) return RECORD_BYTES
  let bytes = RECORD_BYTES + record.allow_ips.length * ADDRESS_BYTES
  for (const model of record.model_limits ?? []) bytes += 40 + 2 * model.length
  return bytes
}

function isNewer(record: TokenRecord, than: TokenRecord): boolean {
  return record.token_auth > than.token_auth || record.user_auth > than.user_auth
}
