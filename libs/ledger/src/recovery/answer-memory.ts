import type { Remembered } from './lost-events.ts'

type Answer = { readonly n: number; readonly epoch: number }
/** The greatest number of the newest epoch, and of all before it. */
type Seen = { readonly epoch: number; n: number; readonly before: number }

const MAX_RESENT = 100_000

/** The numbers one relay was answered, by shard; what an opening of the gate is compared with. */
export class AnswerMemory implements Remembered {
  readonly #seen = new Map<number, Seen>()
  #resent: (Answer & { readonly shard: number })[] = []

  note(shard: number, { n, epoch }: Answer): void {
    const seen = this.#seen.get(shard)
    if (seen === undefined) this.#seen.set(shard, { epoch, n, before: 0 })
    else if (epoch > seen.epoch) this.#seen.set(shard, { epoch, n, before: Math.max(seen.n, seen.before) })
    else if (n > seen.n) seen.n = n
  }

  /** Sent again and taken once more; `first` is its answer before the gate opened. */
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
