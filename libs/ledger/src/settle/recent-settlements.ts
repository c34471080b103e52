import type { SettleInput } from '../client/types.ts'
import { KeptSettlements, type Kept } from './kept-settlements.ts'

const KEEP_MS = 10_000
/** A pause of Redis or of the traffic does not age earlier answers by more than this. */
const LONGEST_STEP_MS = 1000
const RESEND_AT_ONCE = 64

/**
 * Settlements that one server of the ledger has answered, kept for 10 s to be sent again. Its clock runs only while that server answers:
 * what it said last is kept for as long as it is away, whatever other servers answer meanwhile.
 */
export class RecentSettlements {
  /** The last call was not answered, or the store was closed. */
  wasDown = false
  readonly #now: () => number
  readonly #recent = new KeptSettlements()
  /** Settlements being sent again. */
  readonly #resent = new KeptSettlements()
  #calls = 0
  #clock = 0
  #steppedAt: number
  #resending: Promise<void> = Promise.resolve()

  constructor(now: () => number) {
    this.#now = now
    this.#steppedAt = now()
  }

  /** Nothing is kept, and no call is under way whose answer may be. */
  get isUnused(): boolean {
    return this.#calls === 0 && this.#recent.isEmpty && this.#resent.isEmpty
  }

  get isResending(): boolean {
    return !this.#resent.isEmpty
  }

  /** Runs a call to this server. */
  async during<T>(call: (recent: this) => Promise<T>): Promise<T> {
    this.#calls += 1
    try {
      return await call(this)
    } finally {
      this.#calls -= 1
    }
  }

  has(requestId: string): boolean {
    return this.#resent.has(requestId) || this.#recent.has(requestId)
  }

  /** Notes an answer; with `earlier`, one that repeats an earlier answer and does not extend its time. */
  keep(kept: Omit<Kept, 'at'>, earlier?: Kept): void {
    const at = this.#step()
    this.#recent.forgetBefore(at - KEEP_MS)
    this.#recent.add(earlier ?? { ...kept, at })
  }

  /** Sends them all again, some at a time. */
  resend(send: (kept: Kept) => Promise<void>): Promise<void> {
    this.#recent.moveTo(this.#resent)
    // Chained: a caller that waits for the second run has also waited for the first.
    this.#resending = this.#resending.then(async () => {
      while (!this.#resent.isEmpty) {
        const kept = this.#resent.first()
        for (let at = 0; at < kept.length; at += RESEND_AT_ONCE) await Promise.all(kept.slice(at, at + RESEND_AT_ONCE).map(send))
        this.#resent.forgetFirst()
      }
    })
    return this.#resending
  }

  /** Settlements of which it is not sure that the server, or the one that replaces it, has them. */
  unsure(): SettleInput[] {
    return [...this.#resent.inputs(), ...(this.wasDown ? this.#recent.inputs() : [])]
  }

  #step(): number {
    const now = this.#now()
    this.#clock += Math.min(now - this.#steppedAt, LONGEST_STEP_MS)
    this.#steppedAt = now
    return this.#clock
  }
}
