import type { Outcome, Quantiles } from './job.ts'

/** Records only between `begin` and `end`. */
export class Recorder {
  #isOn = false
  #completed = 0
  #failed = 0
  #chunks = 0
  readonly #statuses = new Map<string, number>()
  readonly #latency: number[] = []
  readonly #firstByte: number[] = []
  readonly #chunkDelay: number[] = []
  readonly #lateness: number[] = []
  #beganAt = 0

  begin(at: number): void {
    this.#isOn = true
    this.#beganAt = at
  }

  end(at: number, openStreams: number): Outcome {
    this.#isOn = false
    return {
      completed: this.#completed,
      failed: this.#failed,
      statuses: Object.fromEntries(this.#statuses),
      latency: quantiles(this.#latency),
      firstByte: quantiles(this.#firstByte),
      chunks: this.#chunks,
      chunkDelay: quantiles(this.#chunkDelay),
      lateness: quantiles(this.#lateness),
      openStreams,
      seconds: (at - this.#beganAt) / 1e6,
    }
  }

  completed(status: string, micros: number): void {
    if (!this.#isOn) return
    this.#completed += 1
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1)
    this.#latency.push(micros)
  }

  failed(): void {
    if (this.#isOn) this.#failed += 1
  }

  firstByte(micros: number): void {
    if (this.#isOn) this.#firstByte.push(micros)
  }

  chunk(): void {
    if (this.#isOn) this.#chunks += 1
  }

  chunkDelay(micros: number): void {
    if (this.#isOn) this.#chunkDelay.push(micros)
  }

  late(micros: number): void {
    if (this.#isOn) this.#lateness.push(micros)
  }
}

function quantiles(values: readonly number[]): Quantiles {
  const sorted = Float64Array.from(values).sort()
  const at = (share: number): number => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1), count: sorted.length }
}
