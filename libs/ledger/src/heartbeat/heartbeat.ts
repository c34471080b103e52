import type { UnixMillis } from '@tollgate/contracts/units'
import type { Redis } from '@tollgate/redis/connect'
import { every, type Ticks } from '@tollgate/redis/every'
import { readRedisTime } from '../accounts/ledger-admin.ts'
import { finalizeEvent } from '../client/finalize-event.ts'
import { findPendingEvent, findOpenHold, listOpenHolds, type ListedHold } from '../client/hold-store.ts'
import { keys } from '@tollgate/redis/keys'
import {
  allShards,
  heartbeatKey,
  partsOf,
  serverOf,
  serverOfKey,
  type LedgerPart,
  type LedgerServers,
} from '@tollgate/redis/ledger-servers'
import type { Heartbeat, Progress, SettleInput } from '../client/types.ts'
import { checkStore, countOpenings } from '../scripts/checked-store.ts'
import { callScript } from '../scripts/scripts.ts'

export type HeartbeatOptions = {
  /** The ledger's connection, because the heartbeat must prove that this connection works. */
  readonly redis: LedgerServers
  readonly relay_id: string
  readonly shards: number
  /** Progress of this process's requests that are open for more than 1 s. */
  readonly listProgress: () => readonly Progress[]
  /** True if this process still runs the request or has its settlement queued. */
  readonly isKnown: (requestId: string) => boolean
  /** Settles a hold of this relay that `isKnown` does not know, through the settle queue. */
  readonly settleUnknown: (input: SettleInput) => Promise<unknown>
  /** Extends leases with each heartbeat; `nowAt`: Redis TIME (ms) of the server of a key. */
  readonly renewLeases?: (nowAt: (key: string) => UnixMillis) => Promise<void>
  /** A fence was opened since the last heartbeat: send recent settlements again. */
  readonly onReopened?: () => void
  readonly onError?: (cause: unknown) => void
  readonly intervalMs?: number
  readonly ownHoldsEveryMs?: number
  readonly deadAfterMs?: number
}

const HEARTBEAT_TTL_SECONDS = 86_400
const NOT_AFTER_MS = 2000
const DEAD_AFTER_MS = 30_000
const UNKNOWN_AFTER_MS = 30_000
const MAX_UNCONFIRMED = 10_000
const CHECKS_AT_ONCE = 100
/** A request whose hold is unknown was refused, so it has no place in a window of successful requests. */
const GIVE_BACK = -1

/** Redis TIME (ms) of a server at the last heartbeat that it answered, and when that was sent by this process's monotonic clock. */
type Pulse = { readonly redisTime: UnixMillis; readonly sentAt: number }
const NO_PULSE: Pulse = { redisTime: 0, sentAt: Number.NEGATIVE_INFINITY }

/** Starts the heartbeat; resolves after the first answer, because Redis' time is unknown before it, or after the first failure. */
export async function startHeartbeat(options: HeartbeatOptions): Promise<Heartbeat> {
  const heartbeat = new RunningHeartbeat(options)
  await heartbeat.start()
  return heartbeat
}

class RunningHeartbeat implements Heartbeat {
  readonly relay_id: string
  readonly #options: HeartbeatOptions
  readonly #unconfirmed = new Map<string, { readonly shard: number; readonly not_after: number }>()
  #ticks: Ticks | undefined
  #running: Promise<void> | undefined
  #checking: Promise<void> | undefined
  readonly #pulses = new WeakMap<Redis, Pulse>()
  #listedAt = performance.now()
  #openings: number | undefined
  #hasAnswered = false

  constructor(options: HeartbeatOptions) {
    this.#options = options
    this.relay_id = options.relay_id
  }

  async start(): Promise<void> {
    await this.#sendHeartbeat().catch((cause: unknown) => this.#options.onError?.(cause))
    this.#ticks = every(this.#options.intervalMs ?? 1000, () => this.#tick())
  }

  hasAnswered(): boolean {
    return this.#hasAnswered
  }

  redisNow(shard: number): UnixMillis {
    return nowOf(this.#pulseOf(shard))
  }

  notAfter(shard: number): UnixMillis {
    return this.#pulseOf(shard).redisTime + NOT_AFTER_MS
  }

  noteUnconfirmed({ shard, request_id }: { readonly shard: number; readonly request_id: string }): void {
    // The minutely check of all own holds finds the ones beyond the limit.
    if (this.#unconfirmed.size < MAX_UNCONFIRMED) this.#unconfirmed.set(request_id, { shard, not_after: this.notAfter(shard) })
  }

  isAlive(shard: number): boolean {
    return performance.now() - this.#pulseOf(shard).sentAt < (this.#options.deadAfterMs ?? DEAD_AFTER_MS)
  }

  async refresh(): Promise<void> {
    this.#tick()
    await this.#running
  }

  async stop(): Promise<void> {
    this.#ticks?.stop()
    await this.#running
    await this.#checking
  }

  #tick(): void {
    this.#running ??= this.#round().finally(() => {
      this.#running = undefined
    })
  }

  async #round(): Promise<void> {
    try {
      await this.#sendHeartbeat()
      // Not awaited: a check of thousands of holds may take longer than `notAfter` allows between two heartbeats.
      this.#checking ??= this.#checkHolds().finally(() => {
        this.#checking = undefined
      })
    } catch (cause) {
      // One missed heartbeat has no effect by itself: isAlive and notAfter depend on the last answer.
      this.#options.onError?.(cause)
    }
  }

  async #checkHolds(): Promise<void> {
    try {
      await this.#releaseUnconfirmed()
      if (performance.now() - this.#listedAt < (this.#options.ownHoldsEveryMs ?? 60_000)) return
      this.#listedAt = performance.now()
      await this.#settleUnknown()
    } catch (cause) {
      this.#options.onError?.(cause)
    }
  }

  /** To every server. Rejects if none answers; one of several that does not is left to its own `isAlive`. */
  async #sendHeartbeat(): Promise<void> {
    const { redis: servers, shards, onError } = this.#options
    // A server without a shard has no place for a counter, and needs none.
    const parts = partsOf(servers, allShards(shards)).filter((part) => part.shards.length > 0)
    const progress = Map.groupBy(this.#options.listProgress(), ({ shard }) => shard)
    const sent = await Promise.allSettled([
      ...parts.map((part) => this.#sendTo(part, progress)),
      this.#openings === undefined
        ? undefined
        : this.#options.renewLeases?.((key) => nowOf(this.#pulses.get(serverOfKey(servers, key)) ?? NO_PULSE)),
    ])
    const failed = sent.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
    if (parts.length === 0) throw new Error('no server of the ledger is known')
    if (sent.slice(0, parts.length).every(({ status }) => status === 'rejected')) throw failed[0]
    this.#hasAnswered = true
    for (const cause of failed) onError?.(cause)
    const openings = countOpenings(servers)
    if (this.#openings !== undefined && this.#openings !== openings) this.#options.onReopened?.()
    this.#openings = openings
  }

  async #sendTo(part: LedgerPart, progress: ReadonlyMap<number, readonly Progress[]>): Promise<void> {
    const { redis: servers, relay_id } = this.#options
    const { redis, shards } = part
    const counter = heartbeatKey(servers, shards, relay_id)
    const sentAt = performance.now()
    const [redisTime] = await Promise.all([
      readRedisTime(redis),
      checkStore(servers, part),
      redis.incr(counter),
      redis.expire(counter, HEARTBEAT_TTL_SECONDS),
      ...shards.map((shard) => this.#writeProgress(shard, progress.get(shard))),
    ])
    this.#pulses.set(redis, { redisTime, sentAt })
  }

  #pulseOf(shard: number): Pulse {
    return this.#pulses.get(serverOf(this.#options.redis, shard)) ?? NO_PULSE
  }

  async #writeProgress(shard: number, open: readonly Progress[] | undefined): Promise<void> {
    if (open === undefined) return
    const pairs = open.flatMap((progress) => [progress.request_id, JSON.stringify(progress)])
    const { redis, relay_id } = this.#options
    const outcome = await callScript(redis, shard, 'progress', [keys.holds(shard), keys.progress(shard)], [relay_id, ...pairs])
    if (outcome.kind === 'unavailable') throw outcome.cause
  }

  /** Releases the holds of unanswered reserves whose `not_after` has passed: Redis can no longer take them later. */
  async #releaseUnconfirmed(): Promise<void> {
    const { redis, relay_id } = this.#options
    const due = [...this.#unconfirmed].filter(([, { shard, not_after }]) => this.#pulseOf(shard).redisTime > not_after)
    for (let at = 0; at < due.length; at += CHECKS_AT_ONCE)
      await Promise.all(
        due.slice(at, at + CHECKS_AT_ONCE).map(async ([request_id, { shard }]) => {
          const hold = await findOpenHold(redis, shard, request_id)
          if (hold?.relay_id === relay_id) await this.#settleByProgress(shard, { request_id, hold })
          this.#unconfirmed.delete(request_id)
        }),
      )
  }

  async #settleUnknown(): Promise<void> {
    const { redis, relay_id, shards, isKnown } = this.#options
    for (let shard = 0; shard < shards; shard += 1) {
      for (const listed of await listOpenHolds(redis, shard)) {
        const isOld = this.redisNow(shard) - listed.hold.reserved_at > UNKNOWN_AFTER_MS
        if (listed.hold.relay_id === relay_id && isOld && !isKnown(listed.request_id)) await this.#settleByProgress(shard, listed)
      }
    }
  }

  async #settleByProgress(shard: number, { request_id, hold }: ListedHold): Promise<void> {
    const { pendingEvent, progress } = await findPendingEvent(this.#options.redis, shard, request_id)
    const finalized =
      pendingEvent === undefined
        ? undefined
        : finalizeEvent({
            pendingEvent,
            progress,
            by: 'relay',
            wallet_held: hold.wallet_held,
            token_held: hold.token_held,
            now: this.redisNow(shard),
          })
    if (finalized === undefined) {
      this.#options.onError?.(new Error(`the hold of request ${request_id} has no readable pending event`))
      return
    }
    const { user_id, token_id, wallet_held, token_held, epoch } = hold
    await this.#options.settleUnknown({
      shard,
      request_id,
      user_id,
      token_id,
      wallet_held,
      token_held,
      epoch,
      success_window_ms: GIVE_BACK,
      charge: finalized.charge,
      body: finalized.body,
    })
  }
}

/** 0 for a server that has never answered. */
const nowOf = ({ redisTime, sentAt }: Pulse): UnixMillis => (redisTime === 0 ? 0 : redisTime + Math.max(0, performance.now() - sentAt))
