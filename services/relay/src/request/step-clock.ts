import type { StepLine, StepTime } from '@tollgate/contracts/relay/usage-event'

type Step = StepTime['step']

/** Records when each step of one request ended, in milliseconds since the request started. */
export class StepClock {
  readonly started_at: number
  readonly #origin: number
  readonly #line: (Step | number)[] = []

  constructor(nowMs: number) {
    this.started_at = nowMs
    this.#origin = performance.now()
  }

  /** Milliseconds since the start, to a tenth. */
  elapsed(): number {
    return Math.round((performance.now() - this.#origin) * 10) / 10
  }

  /** Ends the running step and begins the next. Entering the running step again has no effect. */
  enter(step: Step): void {
    if (this.#line.at(-2) === step) return
    const now = this.elapsed()
    if (this.#line.length > 0) this.#line[this.#line.length - 1] = now
    this.#line.push(step, now)
  }

  /** All steps so far, with the running one ended now. The next call changes the returned array, so do not keep it. */
  steps(): StepLine {
    if (this.#line.length > 0) this.#line[this.#line.length - 1] = this.elapsed()
    return this.#line
  }
}
