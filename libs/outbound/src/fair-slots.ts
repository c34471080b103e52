import { OutboundError } from './errors.ts'

type Limits = {
  /** Most at once. */
  readonly total: number
  /** Most at once for one owner. */
  readonly per_owner: number
}
type Waiting = { readonly admit: () => void }
export type AcquireOptions = { readonly waitMs: number; readonly signal?: AbortSignal | undefined }

/** Bounds what runs at once, in all and for each owner. What waits is admitted in turns, one for each owner. */
export class FairSlots {
  readonly #limits: Limits
  readonly #running = new Map<string, number>()
  /** By owner, in the order of their turns. */
  readonly #waiting = new Map<string, Set<Waiting>>()
  #active = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  get active(): number {
    return this.#active
  }

  /** Returns the function that gives the slot back; it may be called more than once. Throws OutboundError after `waitMs`. */
  async acquire(owner: string, { waitMs, signal }: AcquireOptions): Promise<() => void> {
    if (!this.#hasRoom(owner)) await this.#wait(owner, { waitMs, signal })
    else this.#take(owner)
    let isGiven = false
    return () => {
      if (isGiven) return
      isGiven = true
      this.#give(owner)
    }
  }

  #hasRoom(owner: string): boolean {
    return this.#active < this.#limits.total && (this.#running.get(owner) ?? 0) < this.#limits.per_owner
  }

  #take(owner: string): void {
    this.#active += 1
    this.#running.set(owner, (this.#running.get(owner) ?? 0) + 1)
  }

  #give(owner: string): void {
    this.#active -= 1
    const left = (this.#running.get(owner) ?? 0) - 1
    if (left > 0) this.#running.set(owner, left)
    else this.#running.delete(owner)
    this.#admitNext()
  }

  #admitNext(): void {
    for (const [owner, queue] of this.#waiting) {
      const [next] = queue
      if (next === undefined || !this.#hasRoom(owner)) continue
      this.#remove(owner, next)
      // The owner's next turn comes after those of the others.
      if (this.#waiting.delete(owner)) this.#waiting.set(owner, queue)
      this.#take(owner)
      next.admit()
      return
    }
  }

  #remove(owner: string, waiting: Waiting): void {
    const queue = this.#waiting.get(owner)
    queue?.delete(waiting)
    if (queue?.size === 0) this.#waiting.delete(owner)
  }

  #wait(owner: string, { waitMs, signal }: AcquireOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
      }
      const waiting: Waiting = { admit: () => (settle(), resolve()) }
      const leave = (error: OutboundError) => {
        settle()
        this.#remove(owner, waiting)
        reject(error)
      }
      const onAbort = () => leave(new OutboundError('aborted', 'aborted while it waited'))
      const timer = setTimeout(() => leave(new OutboundError('timeout', `no free place within ${waitMs} ms`)), waitMs)
      this.#waiting.set(owner, (this.#waiting.get(owner) ?? new Set()).add(waiting))
      signal?.addEventListener('abort', onAbort, { once: true })
      if (signal?.aborted === true) onAbort()
    })
  }
}
