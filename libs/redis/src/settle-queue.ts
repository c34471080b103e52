import type { Ledger, SettleInput, SettleQueue, SettleResult } from './ledger-types.ts'
import { listLeftovers, removeLeftover, writeLeftovers } from './settle-leftovers.ts'

export type SettleQueueOptions = {
  readonly ledger: Pick<Ledger, 'settle'>
  /** Loads a cold wallet and token (the relay asks the control plane); rejects when it cannot. */
  readonly load: (account: { readonly user_id: number; readonly token_id: number }) => Promise<void>
  readonly capacity: number
  /** Folder for what outlives the process. */
  readonly dir: string
  /** uuid of this process's boot; names its file. */
  readonly owner: string
  /** Highest n each shard answered, for the keeper's report; and whatever went wrong. */
  readonly onError?: (cause: unknown) => void
  /** Unix milliseconds or any clock that only runs forward. */
  readonly now?: () => number
}

export type RelaySettleQueue = SettleQueue & {
  /** Sends the settlements of the last 10 s once more: a store that came back may have lost them. Called when the gate opened anew. */
  resendRecent(): Promise<void>
  /** Whether the settlement of this request waits here for its answer. */
  has(requestId: string): boolean
  /** Highest n that each shard answered. */
  highestN(): ReadonlyMap<number, number>
}

type Final = Exclude<SettleResult, { kind: 'cold' | 'closed' | 'away' }>
type Kept = { readonly input: SettleInput; readonly at: number }

const DEFAULT_WAIT_MS = 500
const KEEP_MS = 10_000
const RETRY_MS = { first: 50, most: 1000 } as const
const DRAIN_POLL_MS = 10

/** The bounded queue in front of settle: a slot is taken at admission, so it cannot overflow; it retries until Redis has answered. */
export function createSettleQueue(options: SettleQueueOptions): RelaySettleQueue {
  return new RetryingSettleQueue(options)
}

class RetryingSettleQueue implements RelaySettleQueue {
  readonly #options: SettleQueueOptions
  readonly #now: () => number
  readonly #open = new Map<string, SettleInput>()
  readonly #highest = new Map<number, number>()
  readonly #wakers = new Set<() => void>()
  #slots = 0
  #recent: Kept[] = []
  #wasDown = false
  #isStopped = false

  constructor(options: SettleQueueOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
  }

  /** Settlements not answered yet. */
  get size(): number {
    return this.#open.size
  }

  has(requestId: string): boolean {
    return this.#open.has(requestId)
  }

  takeSlot(): boolean {
    if (this.#slots >= this.#options.capacity) return false
    this.#slots += 1
    return true
  }

  freeSlot(): void {
    this.#slots = Math.max(0, this.#slots - 1)
  }

  highestN(): ReadonlyMap<number, number> {
    return this.#highest
  }

  async settle(input: SettleInput, waitMs = DEFAULT_WAIT_MS): Promise<SettleResult | { readonly kind: 'queued' }> {
    this.#open.set(input.request_id, input)
    const answered = this.#run(input).finally(() => this.freeSlot())
    const { promise: expired, resolve } = Promise.withResolvers<{ kind: 'queued' }>()
    const timer = setTimeout(() => resolve({ kind: 'queued' }), waitMs)
    try {
      return await Promise.race([answered, expired])
    } finally {
      clearTimeout(timer)
    }
  }

  async drain(deadlineMs: number): Promise<{ left: number }> {
    const deadline = this.#now() + deadlineMs
    while (this.#open.size > 0 && this.#now() < deadline) {
      this.#wake()
      await new Promise((resolve) => setTimeout(resolve, DRAIN_POLL_MS))
    }
    this.#isStopped = true
    this.#wake()
    const left = [...this.#open.values()]
    if (left.length > 0) await writeLeftovers(this.#options.dir, this.#options.owner, left)
    return { left: left.length }
  }

  async replay(): Promise<number> {
    let count = 0
    for (const leftover of await listLeftovers(this.#options.dir, this.#options.owner)) {
      for (const input of leftover.inputs) {
        this.#open.set(input.request_id, input)
        if ((await this.#run(input)).kind !== 'queued') count += 1
      }
      if (!this.#isStopped) await removeLeftover(leftover)
    }
    return count
  }

  async resendRecent(): Promise<void> {
    const again = this.#recent
    this.#recent = []
    for (const { input } of again) {
      if (this.#open.has(input.request_id)) continue
      this.#open.set(input.request_id, input)
      await this.#run(input)
    }
  }

  /** Tries until Redis has given a final answer; 'queued' when the process stops first. */
  async #run(input: SettleInput): Promise<Final | { readonly kind: 'queued' }> {
    let pause: number = RETRY_MS.first
    while (!this.#isStopped) {
      const result = await this.#attempt(input)
      if (result !== undefined) {
        this.#keep(input, result)
        return result
      }
      await this.#sleep(pause)
      pause = Math.min(pause * 2, RETRY_MS.most)
    }
    return { kind: 'queued' }
  }

  async #attempt(input: SettleInput): Promise<Final | undefined> {
    try {
      const result = await this.#options.ledger.settle(input)
      if (result.kind === 'cold') {
        await this.#options.load({ user_id: input.user_id, token_id: input.token_id })
        return undefined
      }
      if (result.kind === 'closed' || result.kind === 'away') {
        this.#wasDown = true
        return undefined
      }
      return result
    } catch (cause) {
      // The settlement stays in the queue and is tried again; the operator hears why it could not be placed.
      this.#options.onError?.(cause)
      return undefined
    }
  }

  #keep(input: SettleInput, result: Final): void {
    this.#open.delete(input.request_id)
    if ('n' in result) this.#highest.set(input.shard, Math.max(this.#highest.get(input.shard) ?? 0, result.n))
    const now = this.#now()
    if (this.#wasDown) {
      this.#wasDown = false
      void this.resendRecent().catch((cause: unknown) => this.#options.onError?.(cause))
    }
    while (this.#recent[0] !== undefined && this.#recent[0].at < now - KEEP_MS) this.#recent.shift()
    if (result.kind !== 'already') this.#recent.push({ input, at: now })
  }

  async #sleep(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        this.#wakers.delete(done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      this.#wakers.add(done)
    })
  }

  #wake(): void {
    for (const waker of this.#wakers) waker()
  }
}
