import type { Redis } from '@tollgate/redis/connect'
import { every, type Ticks } from '@tollgate/redis/every'
import { finalizeEvent } from '../client/finalize-event.ts'
import { findPendingEvent, findOpenHold, listOpenHolds, type ListedHold } from '../client/hold-store.ts'
import { keys } from '@tollgate/redis/keys'
import type { Heartbeat, Progress, SettleInput } from '../client/types.ts'
import { checkStore } from '../scripts/checked-store.ts'
import { callScript } from '../scripts/scripts.ts'

export type HeartbeatOptions = {
  /** The ledger's connection, because the heartbeat must prove that this connection works. */
  readonly redis: Redis
  readonly relay_id: string
  readonly shards: number
  /** Progress of this process's requests that are open for more than 1 s. */
  readonly listProgress: () => readonly Progress[]
  /** True if this process still runs the request or has its settlement queued. */
  readonly isKnown: (requestId: string) => boolean
  /** Settles a hold of this relay that `isKnown` does not know, through the settle queue. */
  readonly settleUnknown: (input: SettleInput) => Promise<unknown>
  /** Extends leases with each heartbeat; `now`: Redis TIME in ms. */
  readonly renewLeases?: (now: number) => Promise<void>
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

/** Starts the heartbeat; resolves after the first answer, because Redis' time is unknown before it. */
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
  #redisTime = 0
  #heartbeatAt = Number.NEGATIVE_INFINITY
  #listedAt = performance.now()
  /** The last opening, and how often the connection came to another store. */
  #opened: string | undefined

  constructor(options: HeartbeatOptions) {
    this.#options = options
    this.relay_id = options.relay_id
  }

  async start(): Promise<void> {
    await this.#sendHeartbeat()
    this.#ticks = every(this.#options.intervalMs ?? 1000, () => this.#tick())
  }

  redisNow(): number {
    return this.#redisTime + Math.max(0, performance.now() - this.#heartbeatAt)
  }

  notAfter(): number {
    return this.#redisTime + NOT_AFTER_MS
  }

  noteUnconfirmed({ shard, request_id }: { readonly shard: number; readonly request_id: string }): void {
    // The minutely check of all own holds finds the ones beyond the limit.
    if (this.#unconfirmed.size < MAX_UNCONFIRMED) this.#unconfirmed.set(request_id, { shard, not_after: this.notAfter() })
  }

  isAlive(): boolean {
    return performance.now() - this.#heartbeatAt < (this.#options.deadAfterMs ?? DEAD_AFTER_MS)
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
      // One missed heartbeat has no effect by itself: isAlive() and notAfter() depend on the last answer.
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

  async #sendHeartbeat(): Promise<void> {
    const { redis, relay_id } = this.#options
    const sentAt = performance.now()
    const [time, store] = await Promise.all([
      redis.time(),
      checkStore(redis),
      redis.incr(keys.heartbeat(relay_id)),
      redis.expire(keys.heartbeat(relay_id), HEARTBEAT_TTL_SECONDS),
      this.#writeProgress(),
      this.#redisTime === 0 ? undefined : this.#options.renewLeases?.(this.redisNow()),
    ])
    this.#redisTime = Number(time[0]) * 1000 + Math.floor(Number(time[1]) / 1000)
    this.#heartbeatAt = sentAt
    const opened = `${store.opened} ${store.changes}`
    if (this.#opened !== undefined && this.#opened !== opened) this.#options.onReopened?.()
    this.#opened = opened
  }

  async #writeProgress(): Promise<void> {
    const byShard = new Map<number, (string | number)[]>()
    for (const progress of this.#options.listProgress()) {
      const pairs = byShard.get(progress.shard) ?? []
      pairs.push(progress.request_id, JSON.stringify(progress))
      byShard.set(progress.shard, pairs)
    }
    await Promise.all([...byShard].map(([shard, pairs]) => this.#noteProgress(shard, pairs)))
  }

  async #noteProgress(shard: number, pairs: readonly (string | number)[]): Promise<void> {
    const { redis, relay_id } = this.#options
    const outcome = await callScript(redis, 'progress', [keys.holds(shard), keys.progress(shard)], [relay_id, ...pairs])
    if (outcome.kind === 'unavailable') throw outcome.cause
  }

  /** Releases the holds of unanswered reserves whose `not_after` has passed: Redis can no longer take them later. */
  async #releaseUnconfirmed(): Promise<void> {
    const { redis, relay_id } = this.#options
    const due = [...this.#unconfirmed].filter(([, { not_after }]) => this.#redisTime > not_after)
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
        const isOld = this.redisNow() - listed.hold.reserved_at > UNKNOWN_AFTER_MS
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
            now: this.redisNow(),
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
