import type { StepTime } from '@tollgate/contracts/usage-event'

type Step = StepTime['step']

/** Notes when each step of one request began and ended, as offsets from the request's start in milliseconds. */
export class StepClock {
  readonly started_at: number
  readonly #origin: number
  readonly #times: { step: Step; started_ms: number; ended_ms: number }[] = []

  constructor(nowMs: number) {
    this.started_at = nowMs
    this.#origin = performance.now()
  }

  /** Milliseconds since the start, to a tenth. */
  elapsed(): number {
    return Math.round((performance.now() - this.#origin) * 10) / 10
  }

  /** Ends the running step and begins the next; a step that comes back (identify once more) is one row. */
  enter(step: Step): void {
    const now = this.elapsed()
    const last = this.#times.at(-1)
    if (last?.step === step) return
    if (last !== undefined) last.ended_ms = now
    this.#times.push({ step, started_ms: now, ended_ms: now })
  }

  /** All steps so far, not to be kept: the running one ends now, and at the next call again. */
  times(): StepTime[] {
    const last = this.#times.at(-1)
    if (last !== undefined) last.ended_ms = this.elapsed()
    return this.#times
  }
}
