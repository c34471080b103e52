const BUCKET_MS = 2000
const BUCKETS = 5

/** Counts of succeeded and failed calls in the last ten seconds, in two-second buckets. Times are monotonic milliseconds. */
export class CallWindow {
  static readonly lengthMs = BUCKET_MS * BUCKETS
  readonly #ok = Array.from({ length: BUCKETS }, () => 0)
  readonly #failed = Array.from({ length: BUCKETS }, () => 0)
  #head = 0

  add(counts: { readonly ok: number; readonly failed: number }, now: number): void {
    this.#advance(now)
    const at = this.#head % BUCKETS
    this.#ok[at] = (this.#ok[at] ?? 0) + counts.ok
    this.#failed[at] = (this.#failed[at] ?? 0) + counts.failed
  }

  counts(now: number): { readonly ok: number; readonly failed: number } {
    this.#advance(now)
    return { ok: sum(this.#ok), failed: sum(this.#failed) }
  }

  clear(): void {
    this.#ok.fill(0)
    this.#failed.fill(0)
  }

  #advance(now: number): void {
    const bucket = Math.floor(now / BUCKET_MS)
    const passed = Math.min(bucket - this.#head, BUCKETS)
    for (let step = 0; step < passed; step += 1) {
      this.#ok[(bucket - step) % BUCKETS] = 0
      this.#failed[(bucket - step) % BUCKETS] = 0
    }
    if (bucket > this.#head) this.#head = bucket
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
