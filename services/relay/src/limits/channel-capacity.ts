import { AppError } from '@tollgate/contracts/app-error'
import { channelLimits, type Limits } from '@tollgate/contracts/relay/limits'
import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import type { Lease, SharedLimits } from '@tollgate/ledger/limits/shared-limits'
import type { Held } from '../request/phases.ts'

/** The limits of channels as one request sees them: which channels are full and for how long, and its lease in the chosen one. */
export class ChannelCapacity {
  readonly #held: Held
  readonly #limits: SharedLimits
  readonly #full = new Map<number, number>()
  #lease: readonly Lease[] = []

  constructor(held: Held, limits: SharedLimits) {
    this.#held = held
    this.#limits = limits
  }

  isFull({ id }: ChannelSnapshot): boolean {
    return this.#full.has(id)
  }

  /**
   * Takes a lease, with one Redis call if the channel has limits. False: the channel is full and must be skipped. If Redis does not
   * answer, the request continues, because it was already admitted.
   */
  take({ id, setting }: ChannelSnapshot): true | Promise<boolean> {
    this.release()
    const limits = setting['limits'] === undefined ? undefined : channelLimits(setting)
    return limits === undefined ? true : this.#takeLease(id, limits)
  }

  async #takeLease(id: number, limits: Limits): Promise<boolean> {
    const { context, progress } = this.#held
    const { calls } = progress
    const leased = [{ of: 'channel', name: String(id), limits }] as const
    const taken = await this.#limits.take({ request_id: context.id, tokens: calls.group.costEstimate.tokens, limits: leased })
    if (taken.kind === 'over-limit') {
      this.#full.set(id, taken.retry_after_ms)
      return false
    }
    if (taken.kind === 'unavailable') return true
    this.#lease = taken.leases
    calls.leases = [...calls.leases, ...taken.leases]
    return true
  }

  /** Gives the lease back, with no tokens used, before another channel is tried. */
  release(): void {
    if (this.#lease.length === 0) return
    void this.#limits.release(this.#lease, 0)
    const left = new Set(this.#lease)
    const { calls } = this.#held.progress
    calls.leases = calls.leases.filter((lease) => !left.has(lease))
    this.#lease = []
  }

  /** Throws 429 with the shortest wait of the full channels, if there are any. */
  throwIfFull(): void {
    if (this.#full.size > 0) throw new AppError('rate.channels', { retry_after_ms: Math.min(...this.#full.values()) })
  }
}
