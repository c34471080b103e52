import { isDeepStrictEqual } from 'node:util'
import { AppError } from '@tollgate/contracts/app-error'
import type { TokenRecord } from '@tollgate/contracts/internal-api'
import { hashTokenKey } from '@tollgate/config/sealing'
import { TtlMap } from '@tollgate/ledger/ttl-map'
import { getTokenRecord } from '@tollgate/redis/stores/token-store'
import type { Redis } from '@tollgate/redis/connect'
import type { ControlPlane } from '../control-plane/client.ts'
import { traceparentOf, type RequestContext } from '../request/context.ts'
import type { AddressLimit } from './address-limit.ts'
import { BoundedMap } from '../cache/bounded-map.ts'
import { maskKey, parseTokenKey } from './token-key.ts'

/** What is known of a credential. `record` null: nobody has this key. */
export type Identity = {
  readonly record: TokenRecord | null
  readonly masked: string
  readonly pin: string | undefined
  /** When it was read, in the caller's milliseconds. */
  readonly read_at: number
}

/** Who asks: the address is judged, the trace handed on to the control plane. */
type Asker = Pick<RequestContext, 'ip' | 'incoming'>

export type Identities = {
  /** From memory, else Redis, else the control plane. Throws ledger.cold when nobody can be asked. */
  find(credential: string, asker: Asker, maxAgeMs?: number): Promise<Identity> | Identity
  forget(credential: string): void
  /**
   * The ledger has greater numbers than its record: whatever is not newer is not believed, wherever it is cached. A Redis that came
   * back older holds records from before changes that Postgres has.
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
/** A known key is read anew after this in any case; reserve's `stale` is what makes changes effective at once. */
const KNOWN_MS = 60_000
const UNKNOWN_MS = 5_000

/** Credential → identity, keyed by the raw text so that a hit hashes nothing; questions under way are shared. */
export function createIdentities({ redis, controlPlane, unknownKeys, now }: Options): Identities {
  const known = new BoundedMap<Identity>(CAPACITY)
  const outdated = new BoundedMap<TokenRecord>(CAPACITY)
  const pending = new TtlMap<Promise<Identity>>()

  const read = async (credential: string, asker: Asker): Promise<Identity> => {
    const parsed = parseTokenKey(credential)
    if (parsed === undefined) throw new AppError(credential === '' ? 'token.missing' : 'token.invalid')
    const found = await findRecord(hashTokenKey(parsed.key), asker, outdated.get(credential))
    outdated.delete(credential)
    const before = known.get(credential)?.record ?? null
    // What did not change stays the object it was: what was made of it once, such as its list of addresses, is known by it.
    const record = before !== null && isDeepStrictEqual(before, found) ? before : found
    const identity = { record, masked: maskKey(parsed.key), pin: parsed.pin, read_at: now() }
    known.set(credential, identity)
    return identity
  }
  const findRecord = async (hash: string, { ip, incoming }: Asker, stale: TokenRecord | undefined): Promise<TokenRecord | null> => {
    const cached = await getTokenRecord(redis, hash).catch(() => undefined) // Redis away: the control plane may still know
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
    find: (credential, asker, maxAgeMs = KNOWN_MS) => {
      const found = known.get(credential)
      if (found !== undefined && now() - found.read_at < (found.record === null ? UNKNOWN_MS : maxAgeMs)) return found
      const asked = pending.get(credential)
      if (asked !== undefined) return asked
      const question = read(credential, asker).finally(() => pending.delete(credential))
      pending.set(credential, question)
      return question
    },
    forget: (credential) => known.delete(credential),
    distrust: (credential) => {
      const record = known.get(credential)?.record
      if (record !== undefined && record !== null) outdated.set(credential, record)
      known.delete(credential)
    },
  }
}

function isNewer(record: TokenRecord, than: TokenRecord): boolean {
  return record.token_auth > than.token_auth || record.user_auth > than.user_auth
}
