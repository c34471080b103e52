import type { Remembered } from './lost-events.ts'

type Answer = { readonly n: number; readonly epoch: number }
/** The greatest number in the newest epoch, and in all older ones. */
type Seen = { readonly epoch: number; n: number; readonly before: number }

const MAX_RESENT = 100_000

/** The event numbers that one relay was answered, by shard, to find events that Redis lost before its fence opened. */
export class AnswerMemory implements Remembered {
  readonly #seen = new Map<number, Seen>()
  #resent: (Answer & { readonly shard: number })[] = []

  note(shard: number, { n, epoch }: Answer): void {
    const seen = this.#seen.get(shard)
    if (seen === undefined) this.#seen.set(shard, { epoch, n, before: 0 })
    else if (epoch > seen.epoch) this.#seen.set(shard, { epoch, n, before: Math.max(seen.n, seen.before) })
    else if (n > seen.n) seen.n = n
  }

  /** Records a settlement that was sent again and accepted; `n` and `epoch` are from its first answer. */
  noteResent(shard: number, { n, epoch }: Answer): void {
    this.#resent.push({ shard, n, epoch })
    if (this.#resent.length > MAX_RESENT) this.#resent = this.#resent.slice(-MAX_RESENT / 2)
  }

  shards(): Iterable<number> {
    return this.#seen.keys()
  }

  highestBefore(shard: number, epoch: number): number {
    const seen = this.#seen.get(shard)
    if (seen === undefined) return 0
    return seen.epoch < epoch ? seen.n : seen.before
  }

  countResent(shard: number, epoch: number, restoredN: number): number {
    return this.#resent.filter((one) => one.shard === shard && one.epoch < epoch && one.n > restoredN).length
  }
}
