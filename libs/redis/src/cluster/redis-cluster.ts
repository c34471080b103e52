import { setTimeout as wait } from 'node:timers/promises'
import { connectRedis, type Redis, type RedisKind } from '../connect.ts'
import type { WatchedOptions } from '../watched-redis.ts'
import { withTimeout } from '../with-timeout.ts'
import { slotOfKey } from './key-slot.ts'
import { parseClusterAddress, type ClusterAddress } from './cluster-address.ts'
import { joinViews, parseNodes, type ClusterNode, type SlotTable } from './slot-table.ts'

export type ClusterOptions = Partial<WatchedOptions> & {
  /** The server of what belongs to no slot: Redis beside the cluster. */
  readonly home: Redis
}

const REFRESH_MS = 1000
/** A refusal that says that slots have moved is answered by a new look, but not by one for each refused call. */
const REFRESH_AGAIN_MS = 50
const VIEW_WITHIN_MS = 1000
/** Commands that were sent to a server that is no master any more may still be answered. */
const LEFT_AFTER_MS = 2000

/**
 * One connection to each master of a cluster. ioredis' own cluster client sends a command again whose connection ended, gives scripts to
 * one master of several, and cannot be told how to connect; this one sends nothing twice and leaves it to its caller to choose the server.
 * (docs/adr/0140-the-ledger-on-a-cluster.md)
 */
export class RedisCluster {
  readonly home: Redis
  readonly #address: ClusterAddress
  readonly #kind: RedisKind
  readonly #options: Partial<WatchedOptions>
  readonly #connections = new Map<string, Redis>()
  readonly #leaving = new Map<string, NodeJS.Timeout>()
  readonly #timer: NodeJS.Timeout
  #table: SlotTable = { bySlot: [], masters: [] }
  #read: Promise<void> | undefined
  #readAt = Number.NEGATIVE_INFINITY
  #isClosed = false

  constructor(url: string, kind: RedisKind, { home, ...options }: ClusterOptions) {
    this.home = home
    this.#address = parseClusterAddress(url)
    this.#kind = kind
    this.#options = options
    this.#timer = setInterval(() => void this.refresh(), REFRESH_MS)
    this.#timer.unref()
    void this.refresh()
  }

  /** The connection to the master of this slot. A slot that no known master has is asked of any, which refuses it. */
  ofSlot(slot: number): Redis {
    const master = this.#table.bySlot[slot] ?? this.#table.masters[0] ?? this.#address.seeds[0] ?? ''
    return this.#connectionOf(master)
  }

  ofKey(key: string): Redis {
    return this.ofSlot(slotOfKey(key))
  }

  /** Every master, by address, with and without slots. */
  masters(): { readonly address: string; readonly redis: Redis }[] {
    return this.#table.masters.map((address) => ({ address, redis: this.#connectionOf(address) }))
  }

  /** True if some master has the slot. */
  isCovered(slot: number): boolean {
    return this.#table.bySlot[slot] !== undefined
  }

  /** Asks the nodes who has which slot, or joins a question that is under way. Never rejects. */
  refresh(): Promise<void> {
    if (this.#isClosed) return Promise.resolve()
    this.#read ??= this.#readTable().finally(() => {
      this.#read = undefined
      this.#readAt = performance.now()
    })
    return this.#read
  }

  /** The same after a node said that it has not, or not any more, what was asked of it. */
  noteMoved(): void {
    if (performance.now() - this.#readAt > REFRESH_AGAIN_MS) void this.refresh()
  }

  /** Resolves when the masters are known and each is connected or was tried; rejects after `timeoutMs` if none is. */
  async waitUntilReady(timeoutMs = 10_000): Promise<void> {
    const deadline = performance.now() + timeoutMs
    const triedAt = performance.now() + TRIED_AFTER_MS
    for (;;) {
      await this.refresh()
      const masters = this.masters()
      const ready = masters.filter(({ redis }) => redis.status === 'ready')
      if (ready.length > 0 && (ready.length === masters.length || performance.now() > triedAt)) return
      if (performance.now() > deadline) throw new Error(`no master of the Redis cluster was ready within ${timeoutMs} ms`)
      await wait(LOOK_EVERY_MS)
    }
  }

  disconnect(): void {
    this.#isClosed = true
    clearInterval(this.#timer)
    for (const timer of this.#leaving.values()) clearTimeout(timer)
    for (const redis of this.#connections.values()) redis.disconnect()
  }

  #connectionOf(address: string): Redis {
    const known = this.#connections.get(address)
    if (known !== undefined) return known
    const made = connectRedis(this.#address.urlOf(address), this.#kind, this.#options)
    this.#connections.set(address, made)
    return made
  }

  /** The masters, which know most; all seeds while no master answers. */
  async #readTable(): Promise<void> {
    const views = await this.#ask(this.#table.masters)
    const found = views.length > 0 ? views : await this.#ask(this.#address.seeds)
    // The last answer counts until a node gives another.
    if (found.length === 0 || this.#isClosed) return
    this.#table = joinViews(found)
    this.#keepOnly(new Set(this.#table.masters))
  }

  async #ask(addresses: readonly string[]): Promise<ClusterNode[][]> {
    const answers = await Promise.allSettled(addresses.map((address) => this.#viewOf(address)))
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  }

  async #viewOf(address: string): Promise<ClusterNode[]> {
    const redis = this.#connectionOf(address)
    const text: unknown = await withTimeout(redis.cluster('NODES'), VIEW_WITHIN_MS, 'a node of the Redis cluster did not answer')
    return parseNodes(String(text), address)
  }

  #keepOnly(masters: ReadonlySet<string>): void {
    for (const [address, redis] of this.#connections) {
      const leaving = this.#leaving.get(address)
      if (masters.has(address)) {
        clearTimeout(leaving)
        this.#leaving.delete(address)
      } else if (leaving === undefined) {
        const timer = setTimeout(() => this.#leave(address, redis), LEFT_AFTER_MS)
        timer.unref()
        this.#leaving.set(address, timer)
      }
    }
  }

  #leave(address: string, redis: Redis): void {
    this.#leaving.delete(address)
    this.#connections.delete(address)
    redis.disconnect()
  }
}

const TRIED_AFTER_MS = 2000
const LOOK_EVERY_MS = 20
