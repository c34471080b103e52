import { AnswerMemory } from '../recovery/answer-memory.ts'
import { TtlMap } from '../ttl-map.ts'
import type { Counted, Kept } from './kept-settlements.ts'
import { RecentSettlements } from './recent-settlements.ts'
import type { Ledger, SettleInput, SettleQueue, SettleResult } from '../client/types.ts'
import type { Remembered } from '../recovery/lost-events.ts'
import { openSettleFile, type SettleFile } from './settle-file.ts'
import { claimRecoveredSettlements, removeRecoveredSettlements, type RecoveredSettlements } from './recovered-settlements.ts'

export type SettleQueueOptions = {
  readonly ledger: Pick<Ledger, 'settle'>
  /** Loads a cold wallet and token (the relay asks the control plane); rejects when it cannot. */
  readonly load: (account: { readonly user_id: number; readonly token_id: number }) => Promise<void>
  readonly capacity: number
  /** Folder of the settle file (RELAY_STATE_DIR); settle-file.ts says what it must provide. */
  readonly dir: string
  /** Names the settle file of this process. */
  readonly relay_id: string
  readonly onError?: (cause: unknown) => void
  /** The server that has a shard now, if there are several. */
  readonly serverOf?: (shard: number) => object
  /** Milliseconds of any clock that never goes back. */
  readonly now?: () => number
}

export type RelaySettleQueue = SettleQueue & {
  /** Sends the settlements of the last 10 s again after a fence opened: a store that came back may have lost them. */
  resendRecent(): Promise<void>
  /** True if this queue has the settlement, unanswered or kept to be sent again: an open hold of it is then left over from a store that came back older. */
  has(requestId: string): boolean
  /** Event numbers that this process was answered (lost-events.ts). */
  readonly remembered: Remembered
}

type Final = Exclude<SettleResult, { kind: 'cold' | 'closed' | 'unavailable' }>

/** A settlement with its last answer, and, if it was sent again, the first one. */
type Ended = { readonly input: SettleInput; readonly result: Final; readonly earlier: Kept | undefined }

const DEFAULT_WAIT_MS = 500
const RETRY_MS = { first: 50, max: 1000 } as const
const DRAIN_POLL_MS = 10
/** `already` does not tell the number of the event. */
const UNNUMBERED: Counted = { kind: 'settled', n: 0, epoch: 0 }

/** Bounded queue in front of settle. Slots are taken at admission, so it cannot overflow; it retries until Redis answers. */
export function createSettleQueue(options: SettleQueueOptions): RelaySettleQueue {
  return new RetryingSettleQueue(options)
}

class RetryingSettleQueue implements RelaySettleQueue {
  readonly #options: SettleQueueOptions
  readonly #file: SettleFile
  readonly #now: () => number
  readonly #open = new TtlMap<SettleInput>()
  readonly #memory = new AnswerMemory()
  readonly #wakers = new Set<() => void>()
  #slots = 0
  /** Answers by server. One that has gone stays until what it answered was sent to its successor. */
  readonly #recent = new Map<object, RecentSettlements>()
  #isStopped = false

  constructor(options: SettleQueueOptions) {
    this.#options = options
    this.#file = openSettleFile(options.dir, options.relay_id)
    this.#now = options.now ?? (() => performance.now())
  }

  /** Number of unanswered settlements. */
  get size(): number {
    return this.#open.size
  }

  has(requestId: string): boolean {
    return this.#open.has(requestId) || this.#recent.values().some((recent) => recent.has(requestId))
  }

  takeSlot(): boolean {
    if (this.#slots >= this.#options.capacity) return false
    this.#slots += 1
    return true
  }

  freeSlot(): void {
    this.#slots = Math.max(0, this.#slots - 1)
  }

  get remembered(): Remembered {
    return this.#memory
  }

  settle(input: SettleInput, waitMs = DEFAULT_WAIT_MS): Promise<SettleResult | { readonly kind: 'queued' }> {
    this.#open.set(input.request_id, input)
    return new Promise((resolve, reject) => {
      let isWaiting = true
      const answerQueued = () => {
        isWaiting = false
        // The caller now sends the end of the answer to the client, so the charge must survive this process.
        this.#keepOnDisk(input)
        resolve({ kind: 'queued' })
      }
      const timer = setTimeout(answerQueued, waitMs)
      const finish = () => {
        clearTimeout(timer)
        this.freeSlot()
      }
      this.#run(input).then(
        (result) => {
          finish()
          if (result.kind !== 'queued') resolve(result)
          else if (isWaiting) answerQueued()
        },
        (cause: unknown) => {
          finish()
          reject(cause)
        },
      )
    })
  }

  async drain(deadlineMs: number): Promise<{ left: number }> {
    const deadline = this.#now() + deadlineMs
    const isBusy = (): boolean => this.#open.size > 0 || this.#recent.values().some(({ isResending }) => isResending)
    while (isBusy() && this.#now() < deadline) {
      this.#wake()
      await new Promise((resolve) => setTimeout(resolve, DRAIN_POLL_MS))
    }
    this.#isStopped = true
    this.#wake()
    // A Redis that is unavailable may come back without its last writes: the next process sends them again.
    const unsure = this.#recent.values().flatMap((recent) => recent.unsure())
    const left = new Map([...unsure, ...this.#open.values()].map((input) => [input.request_id, input]))
    this.#file.keepOnly([...left.values()])
    return { left: left.size }
  }

  async replay(): Promise<number> {
    const files = await claimRecoveredSettlements(this.#options.dir, this.#options.relay_id)
    const counts = await Promise.all(files.map((recovered) => this.#replayFile(recovered)))
    return counts.reduce((sum, count) => sum + count, 0)
  }

  async #replayFile(recovered: RecoveredSettlements): Promise<number> {
    if (recovered.unreadable > 0)
      this.#options.onError?.(new Error(`${recovered.unreadable} settlements in ${recovered.path} cannot be read`))
    // Side by side: a shard that is away does not keep the others waiting.
    const byShard = Map.groupBy(recovered.inputs, ({ shard }) => shard)
    const counts = await Promise.all(byShard.values().map((inputs) => this.#replayShard(inputs)))
    if (!this.#isStopped) await removeRecoveredSettlements(recovered)
    return counts.reduce((sum, count) => sum + count, 0)
  }

  async #replayShard(inputs: readonly SettleInput[]): Promise<number> {
    let count = 0
    for (const input of inputs) {
      this.#open.set(input.request_id, input)
      if ((await this.#run(input)).kind !== 'queued') count += 1
    }
    return count
  }

  async resendRecent(): Promise<void> {
    await Promise.all([...this.#recent].map(([server, recent]) => this.#resendOf(server, recent)))
  }

  async #resendOf(server: object, recent: RecentSettlements): Promise<void> {
    await recent.resend((kept) => this.#resend(kept))
    if (recent.isUnused) this.#recent.delete(server)
  }

  #recentOf(shard: number): RecentSettlements {
    const server = this.#serverOf(shard)
    const found = this.#recent.get(server)
    if (found !== undefined) return found
    const made = new RecentSettlements(this.#now)
    this.#recent.set(server, made)
    return made
  }

  #serverOf(shard: number): object {
    return this.#options.serverOf?.(shard) ?? this
  }

  async #resend(kept: Kept): Promise<void> {
    const { input, answer } = kept
    if (this.#open.has(input.request_id)) return
    this.#open.set(input.request_id, input)
    const result = await this.#run(input, kept)
    if ('n' in result) this.#memory.noteResent(input.shard, answer)
  }

  #keepOnDisk(input: SettleInput): void {
    if (!this.#open.has(input.request_id)) return
    try {
      this.#file.append(input)
    } catch (cause) {
      // The settlement stays in memory and is retried; only a SIGKILL before Redis answers could lose it.
      this.#options.onError?.(cause)
    }
  }

  /** Retries until Redis gives a final answer; 'queued' when the process stops first. */
  async #run(input: SettleInput, earlier?: Kept): Promise<Final | { readonly kind: 'queued' }> {
    let pause: number = RETRY_MS.first
    while (!this.#isStopped) {
      const result = await this.#recentOf(input.shard).during(async (recent) => {
        const answer = await this.#attempt(input, recent)
        if (answer !== undefined) this.#keep(recent, { input, result: answer, earlier })
        return answer
      })
      if (result !== undefined) return result
      await this.#sleep(pause)
      pause = Math.min(pause * 2, RETRY_MS.max)
    }
    return { kind: 'queued' }
  }

  async #attempt(input: SettleInput, recent: RecentSettlements): Promise<Final | undefined> {
    try {
      const result = await this.#options.ledger.settle(input)
      if (result.kind === 'cold') {
        await this.#options.load({ user_id: input.user_id, token_id: input.token_id })
        return undefined
      }
      if (result.kind === 'closed' || result.kind === 'unavailable') {
        recent.wasDown = true
        return undefined
      }
      return result
    } catch (cause) {
      // The settlement stays in the queue and is retried; the cause is logged.
      this.#options.onError?.(cause)
      return undefined
    }
  }

  #keep(recent: RecentSettlements, { input, result, earlier }: Ended): void {
    this.#open.delete(input.request_id)
    this.#dropFromDisk(input.request_id)
    if (recent.wasDown) {
      recent.wasDown = false
      void this.#resendOf(this.#serverOf(input.shard), recent)
    }
    if ('n' in result) {
      this.#memory.note(input.shard, result)
      recent.keep({ input, answer: result })
    } else {
      // Redis has it, and may lose it again before it is posted. Kept from its first answer on, so that repetitions do not extend it.
      recent.keep({ input, answer: UNNUMBERED }, earlier)
    }
  }

  #dropFromDisk(requestId: string): void {
    try {
      this.#file.drop(requestId)
    } catch (cause) {
      // A settlement that stays on disk is sent again by the next process, which is harmless.
      this.#options.onError?.(cause)
    }
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
