import { CallWindow } from './window.ts'

/**
 * A circuit breaker: closed, open or half-open. A half-open breaker admits one probe at a time, whose outcome closes or reopens it.
 */
export type BreakerState =
  | { readonly kind: 'closed' }
  | { readonly kind: 'open'; readonly cause: OpenCause; readonly remaining_ms: number; readonly severity: number }
  | { readonly kind: 'half-open'; readonly is_probing: boolean; readonly severity: number }
/** `limited`: upstream asked for a pause. `dead`: upstream rejected the key. `failures`: too many calls failed. */
export type OpenCause = 'failures' | 'limited' | 'dead'

/** `neutral`: no evidence about the channel (the client disconnected, or its request was invalid). */
export type CallOutcome = { readonly kind: 'ok' | 'failed' | 'neutral' } | { readonly kind: 'limited' | 'dead'; readonly pause_ms: number }

/** News of one relay for the others since its last update. A pause is its remaining duration. */
export type BreakerUpdate = {
  readonly ok: number
  readonly failed: number
  readonly pause?: { readonly ms: number; readonly cause: OpenCause }
}

/** Consecutive failures that trip the breaker at any request rate. */
const MAX_CONSECUTIVE = 3
/** Failures and failure rate within the window that trip the breaker together. */
const MIN_FAILED = 4
const MIN_SHARE = 0.3
const FIRST_PAUSE_MS = 5000
const MAX_PAUSE_MS = 120_000
/** Within this time after a reset, one failure trips the breaker again, for twice as long. */
const TRIAL_MS = 30_000
/** After this time without a trip, the pause starts at its minimum again. */
const FORGIVEN_MS = 300_000
/** After this time a probe that is still running (a long stream) no longer blocks the next one. */
const PROBE_MS = 5000

/** The circuit breaker of one channel, model and key in one relay. Times are monotonic milliseconds. */
export class Breaker {
  readonly #window = new CallWindow()
  #openUntil = 0
  #cause: OpenCause = 'failures'
  #consecutive = 0
  #trips = 0
  #closedAt = Number.NEGATIVE_INFINITY
  #touchedAt = 0
  #probeUntil = 0
  #unsent = { ok: 0, failed: 0 }
  #hasUnsentPause = false

  stateAt(now: number): BreakerState {
    if (this.#openUntil === 0) return CLOSED
    if (now < this.#openUntil)
      return { kind: 'open', cause: this.#cause, remaining_ms: Math.ceil(this.#openUntil - now), severity: this.#severity(now) }
    return { kind: 'half-open', is_probing: now < this.#probeUntil, severity: this.#severity(now) }
  }

  /** Marks the call as the probe if the breaker is half-open. */
  beginProbe(now: number): void {
    if (this.#openUntil !== 0 && now >= this.#openUntil) this.#probeUntil = now + PROBE_MS
  }

  /** Records the outcome of a call. Returns whether it tripped the breaker. */
  record(outcome: CallOutcome, now: number): boolean {
    this.#probeUntil = 0
    if (outcome.kind === 'neutral') return false
    if (outcome.kind === 'ok') {
      this.#unsent.ok += 1
      this.#succeed({ ok: 1, failed: 0 }, now)
      return false
    }
    if (!('pause_ms' in outcome)) {
      this.#unsent.failed += 1
      return this.#fail({ ok: 0, failed: 1 }, now)
    }
    // A pause that upstream sets does not lengthen the breaker's own next pause.
    this.#hasUnsentPause = true
    return this.#pause(outcome.kind, outcome.pause_ms, now)
  }

  /** Merges what another relay observed. Returns whether it tripped the breaker. */
  merge({ ok, failed, pause }: BreakerUpdate, now: number): boolean {
    const wasOpen = this.#openUntil > now
    if (ok > 0 && failed === 0) this.#succeed({ ok, failed }, now)
    if (failed > 0) this.#fail({ ok, failed }, now)
    if (pause !== undefined) this.#pause(pause.cause, pause.ms, now)
    return !wasOpen && this.#openUntil > now
  }

  /** Returns and clears what the other relays have not received yet; undefined if there is nothing. */
  takeUpdate(now: number): BreakerUpdate | undefined {
    const { ok, failed } = this.#unsent
    const rest = Math.ceil(this.#openUntil - now)
    const pause = this.#hasUnsentPause && rest > 0 ? { pause: { ms: rest, cause: this.#cause } } : {}
    this.#unsent = { ok: 0, failed: 0 }
    this.#hasUnsentPause = false
    return ok + failed === 0 && !('pause' in pause) ? undefined : { ok, failed, ...pause }
  }

  /** True if the breaker behaves like a new one and can be dropped. */
  isDisposable(now: number): boolean {
    if (this.#openUntil !== 0 || now - this.#touchedAt < CallWindow.lengthMs) return false
    return (this.#trips === 0 && this.#consecutive === 0) || now - Math.max(this.#closedAt, this.#touchedAt) > FORGIVEN_MS
  }

  #succeed(counts: { ok: number; failed: number }, now: number): void {
    this.#touchedAt = now
    this.#consecutive = 0
    if (this.#openUntil !== 0 && now >= this.#openUntil) {
      this.#openUntil = 0
      this.#closedAt = now
      this.#window.clear()
    }
    this.#window.add(counts, now)
  }

  #fail(counts: { ok: number; failed: number }, now: number): boolean {
    this.#touchedAt = now
    this.#window.add(counts, now)
    this.#consecutive = counts.ok > 0 ? 0 : this.#consecutive + counts.failed
    if (this.#openUntil > now || !this.#mustTrip(now)) return false
    if (now - this.#closedAt > FORGIVEN_MS && this.#openUntil === 0) this.#trips = 0
    this.#trips += 1
    this.#consecutive = 0
    this.#cause = 'failures'
    this.#openUntil = now + Math.min(FIRST_PAUSE_MS * 2 ** (this.#trips - 1), MAX_PAUSE_MS)
    return true
  }

  /** A failed probe trips it, one failure shortly after a reset, a run of failures, or a failure rate. */
  #mustTrip(now: number): boolean {
    if (this.#openUntil !== 0) return true
    if (this.#trips > 0 && now - this.#closedAt < TRIAL_MS) return true
    if (this.#consecutive >= MAX_CONSECUTIVE) return true
    const { ok, failed } = this.#window.counts(now)
    return failed >= MIN_FAILED && failed / (ok + failed) >= MIN_SHARE
  }

  #pause(cause: OpenCause, ms: number, now: number): boolean {
    this.#touchedAt = now
    const isNew = this.#openUntil <= now
    if (now + ms > this.#openUntil) {
      this.#openUntil = now + ms
      this.#cause = cause
    }
    return isNew
  }

  /** From 0 (healthy) over 1 (every call fails) to 2 (invalid key); orders channels whose breakers are all open. */
  #severity(now: number): number {
    if (this.#cause === 'dead') return 2
    if (this.#cause === 'limited') return 1
    const { ok, failed } = this.#window.counts(now)
    return ok + failed === 0 ? 0.5 : failed / (ok + failed)
  }
}

const CLOSED = { kind: 'closed' } as const
