import type { UnixMillis } from '@tollgate/contracts/units'
import type { Limits } from '@tollgate/contracts/relay/limits'
import { serverOfKey, type LedgerServers } from '@tollgate/redis/ledger-servers'
import { TtlMap } from '../ttl-map.ts'
import { keys, type SharedScope } from '@tollgate/redis/keys'
import type { LimitedBy, LimitState } from '../client/types.ts'
import { limitArguments, readLeft, toLimitedBy } from './limit-state.ts'
import { numberIn } from '../scripts/scripts.ts'
import { callLimitScript } from './limit-script.ts'

/** The limits that all requests of a group, model or channel (by its id) share. */
export type SharedLimit = { readonly of: SharedScope; readonly name: string; readonly limits: Limits }

/** Share of one request in one shared limit; the request must release it. */
export type Lease = {
  readonly request_id: string
  readonly of: SharedScope
  readonly name: string
  /** Redis TIME in ms. */
  readonly at: number
  readonly tokens_taken: number
  readonly has_requests: boolean
  readonly has_slot: boolean
}

export type TakeResult =
  | { readonly kind: 'taken'; readonly leases: readonly Lease[]; readonly limits: readonly LimitState[] }
  | {
      readonly kind: 'over-limit'
      readonly of: SharedScope
      readonly by: LimitedBy
      readonly retry_after_ms: number
      readonly limits: readonly LimitState[]
    }
  /** Redis did not answer. */
  | { readonly kind: 'unavailable'; readonly cause: unknown }

export type SharedLimits = {
  /** Takes all of these limits or none, in one pipelined call. `tokens` is the estimate. */
  take(input: { readonly request_id: string; readonly tokens: number; readonly limits: readonly SharedLimit[] }): Promise<TakeResult>
  /** Ends leases and counts `used` tokens instead of the estimate. Never rejects: a lease that Redis still has expires. */
  release(leases: readonly Lease[], used: number): Promise<void>
  /** Ends the leases of a request that was refused and does not count. */
  cancel(leases: readonly Lease[]): Promise<void>
  /** Extends open leases; the heartbeat calls it. `nowAt`: Redis TIME (ms) of the server of a key. */
  renew(nowAt: (key: string) => UnixMillis): Promise<void>
}

export type SharedLimitOptions = {
  readonly leaseMs?: number
  readonly onError?: (cause: unknown) => void
}

const LEASE_MS = 120_000
const RENEW_PARTS = 8

/** Limits outside a user's shard (docs/adr/0018-limits.md). Each is in a cluster slot of its own. */
export function createSharedLimits(servers: LedgerServers, { leaseMs = LEASE_MS, onError }: SharedLimitOptions = {}): SharedLimits {
  const open = new TtlMap<{ readonly lease: Lease; until: number }>()
  const end = async (leases: readonly Lease[], requests: 0 | -1, used: number): Promise<void> => {
    for (const lease of leases) open.delete(idOf(lease))
    await Promise.all(leases.map((lease) => releaseOne(servers, lease, requests, used))).catch((cause: unknown) => onError?.(cause))
  }
  const cancel = (leases: readonly Lease[]): Promise<void> => end(leases, -1, 0)
  return {
    take: async ({ request_id, tokens, limits }) => {
      const asked = limits.map((limit) => takeOne(servers, { request_id, tokens, limit, leaseMs }))
      const answers = await Promise.allSettled(asked)
      const taken = answers.flatMap((answer) => (answer.status === 'fulfilled' && answer.value.kind === 'taken' ? [answer.value] : []))
      const leases = taken.map(({ lease }) => lease)
      const failed = answers.find((answer) => answer.status === 'rejected')
      const over = answers.find((answer) => answer.status === 'fulfilled' && answer.value.kind === 'over-limit')
      if (failed !== undefined || over !== undefined) await cancel(leases)
      if (failed?.status === 'rejected') return { kind: 'unavailable', cause: failed.reason }
      if (over?.status === 'fulfilled' && over.value.kind === 'over-limit') return over.value
      for (const { lease } of taken) if (lease.has_slot) open.set(idOf(lease), { lease, until: lease.at + leaseMs })
      return { kind: 'taken', leases, limits: taken.map(({ left }) => left) }
    },
    release: (leases, used) => end(leases, 0, used),
    cancel,
    renew: async (nowAt) => {
      const leases = [...open.values()].map((one) => ({ one, now: nowAt(slotsKey(one.lease)) }))
      const due = leases.filter(({ one, now }) => one.until - now < leaseMs - leaseMs / RENEW_PARTS)
      for (const { one, now } of due) one.until = now + leaseMs
      await Promise.all(due.map(({ one: { lease, until } }) => renewOne(servers, lease, until, leaseMs)))
    },
  }
}

const idOf = ({ of, name, request_id }: Lease): string => `${of} ${name} ${request_id}`

type TakeOne = { readonly request_id: string; readonly tokens: number; readonly limit: SharedLimit; readonly leaseMs: number }
type Taken = { readonly kind: 'taken'; readonly lease: Lease; readonly left: LimitState }

async function takeOne(servers: LedgerServers, input: TakeOne): Promise<Taken | Extract<TakeResult, { kind: 'over-limit' }>> {
  const { request_id, limit, leaseMs } = input
  const { of, name, limits } = limit
  // A request larger than the whole limit takes all of it.
  const tokens_taken = limits.tpm === undefined ? 0 : Math.min(input.tokens, limits.tpm)
  const reply = await callLimitScript(servers, 'limit-take', keysOf(limit), [request_id, ...limitArguments(limits), tokens_taken, leaseMs])
  if (reply[0] === 'limited') {
    return { kind: 'over-limit', of, by: toLimitedBy(reply[1]), retry_after_ms: numberIn(reply, 2), limits: [readLeft(reply, 3, limits)] }
  }
  const lease: Lease = {
    request_id,
    of,
    name,
    at: numberIn(reply, 1),
    tokens_taken,
    has_requests: limits.rpm !== undefined,
    has_slot: limits.concurrency !== undefined,
  }
  return { kind: 'taken', lease, left: readLeft(reply, 2, limits) }
}

async function releaseOne(servers: LedgerServers, lease: Lease, requests: 0 | -1, used: number): Promise<void> {
  const { tokens_taken, has_requests } = lease
  const correction = tokens_taken === 0 ? 0 : used - tokens_taken
  await callLimitScript(servers, 'limit-release', keysOf(lease), [lease.request_id, lease.at, has_requests ? requests : 0, correction])
}

async function renewOne(servers: LedgerServers, lease: Lease, until: number, leaseMs: number): Promise<void> {
  const key = slotsKey(lease)
  const redis = serverOfKey(servers, key)
  await Promise.all([redis.zadd(key, Math.floor(until), lease.request_id), redis.pexpire(key, leaseMs)])
}

const keysOf = (limit: Pick<Lease, 'of' | 'name'>): string[] => [keys.sharedMinute(limit.of, limit.name), slotsKey(limit)]
const slotsKey = ({ of, name }: Pick<Lease, 'of' | 'name'>): string => keys.sharedSlots(of, name)
