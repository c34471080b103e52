import { AppError } from '@tollgate/contracts/app-error'
import { channelLimits, type Limits } from '@tollgate/contracts/limits'
import type { ChannelSnapshot } from '@tollgate/contracts/snapshot'
import type { Lease, SharedLimits } from '@tollgate/ledger/limits/shared-limits'
import type { RequestRecord } from '../request/record.ts'

/** What the limits of channels have said to one request: which are full and for how long, and the place it has in one. */
export class ChannelRoom {
  readonly #journal: RequestRecord
  readonly #limits: SharedLimits
  readonly #full = new Map<number, number>()
  #lease: readonly Lease[] = []

  constructor(record: RequestRecord, limits: SharedLimits) {
    this.#journal = record
    this.#limits = limits
  }

  isFull({ id }: ChannelSnapshot): boolean {
    return this.#full.has(id)
  }

  /**
   * Takes a place in the channel, which costs one call where it has limits; false: it is full and must be passed over. A Redis that
   * does not answer stops no request that was admitted.
   */
  enter({ id, setting }: ChannelSnapshot): true | Promise<boolean> {
    this.leave()
    const limits = setting['limits'] === undefined ? undefined : channelLimits(setting)
    return limits === undefined ? true : this.#take(id, limits)
  }

  async #take(id: number, limits: Limits): Promise<boolean> {
    const { context, costEstimate, leases } = this.#journal
    const asked = [{ of: 'channel', name: String(id), limits }] as const
    const taken = await this.#limits.take({ request_id: context.id, tokens: costEstimate.tokens, limits: asked })
    if (taken.kind === 'over-limit') {
      this.#full.set(id, taken.retry_after_ms)
      return false
    }
    if (taken.kind === 'unavailable') return true
    this.#lease = taken.leases
    this.#journal.leases = [...leases, ...taken.leases]
    return true
  }

  /** The call failed, another channel is tried: its place is free, its tokens were not used. */
  leave(): void {
    if (this.#lease.length === 0) return
    void this.#limits.release(this.#lease, 0)
    const left = new Set(this.#lease)
    this.#journal.leases = this.#journal.leases.filter((lease) => !left.has(lease))
    this.#lease = []
  }

  /** No channel is left, and some are full: come back when the first has room. */
  refuseIfFull(): void {
    if (this.#full.size > 0) throw new AppError('rate.channels', { retry_after_ms: Math.min(...this.#full.values()) })
  }
}
