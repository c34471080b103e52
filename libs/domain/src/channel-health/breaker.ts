import { CallWindow } from './window.ts'

/**
 * `limited`: upstream asked for a pause. `dead`: it refused the key. `failures`: too many calls failed. A breaker that is half
 * open lets one call at a time through; how that one ends decides.
 */
export type BreakerState =
  | { readonly kind: 'closed' }
  | { readonly kind: 'open'; readonly cause: OpenCause; readonly rest_ms: number; readonly badness: number }
  | { readonly kind: 'half-open'; readonly is_probing: boolean; readonly badness: number }
export type OpenCause = 'failures' | 'limited' | 'dead'

/** `neutral`: it says nothing of the channel (the client left, or its request was wrong). */
export type CallOutcome = { readonly kind: 'ok' | 'failed' | 'neutral' } | { readonly kind: 'limited' | 'dead'; readonly pause_ms: number }

/** What happened since the last exchange, for the other relays; pauses are what is left of them. */
export type BreakerNews = {
  readonly ok: number
  readonly failed: number
  readonly pause?: { readonly ms: number; readonly cause: OpenCause }
}

/** All failed, whatever the rate: opens at this many in a row. One failure never opens anything. */
const IN_A_ROW = 3
/** Of the calls within the window: at least so many failed, and this share. */
const MIN_FAILED = 4
const MIN_SHARE = 0.3
const FIRST_PAUSE_MS = 5000
const MAX_PAUSE_MS = 120_000
/** So long after it closed, one failure is enough to open it again, for twice as long. */
const TRIAL_MS = 30_000
const FORGIVEN_MS = 300_000
/** A probe that has not ended by now (a long stream) is no reason to let nobody else try. */
const PROBE_MS = 5000

/** The health of one channel, model and key as one relay sees it. Times are milliseconds that never go back. */
export class Breaker {
  readonly #window = new CallWindow()
  #openUntil = 0
  #cause: OpenCause = 'failures'
  #inARow = 0
  #trips = 0
  #closedAt = Number.NEGATIVE_INFINITY
  #touchedAt = 0
  #probeUntil = 0
  #news = { ok: 0, failed: 0 }
  #hasPauseNews = false

  stateAt(now: number): BreakerState {
    if (this.#openUntil === 0) return CLOSED
    if (now < this.#openUntil)
      return { kind: 'open', cause: this.#cause, rest_ms: Math.ceil(this.#openUntil - now), badness: this.#badness(now) }
    return { kind: 'half-open', is_probing: now < this.#probeUntil, badness: this.#badness(now) }
  }

  /** A call goes out while it is half open: nobody else's does until that one has ended. */
  beginProbe(now: number): void {
    if (this.#openUntil !== 0 && now >= this.#openUntil) this.#probeUntil = now + PROBE_MS
  }

  /** How a call ended. True: this opened the breaker. */
  record(outcome: CallOutcome, now: number): boolean {
    this.#probeUntil = 0
    if (outcome.kind === 'neutral') return false
    if (outcome.kind === 'ok') {
      this.#news.ok += 1
      this.#succeed({ ok: 1, failed: 0 }, now)
      return false
    }
    if (!('pause_ms' in outcome)) {
      this.#news.failed += 1
      return this.#fail({ ok: 0, failed: 1 }, now)
    }
    // Upstream said itself for how long: that it did does not count towards a longer pause of ours.
    this.#hasPauseNews = true
    return this.#pause(outcome.kind, outcome.pause_ms, now)
  }

  /** What another relay saw. True: this opened the breaker. */
  merge({ ok, failed, pause }: BreakerNews, now: number): boolean {
    const wasOpen = this.#openUntil > now
    if (ok > 0 && failed === 0) this.#succeed({ ok, failed }, now)
    if (failed > 0) this.#fail({ ok, failed }, now)
    if (pause !== undefined) this.#pause(pause.cause, pause.ms, now)
    return !wasOpen && this.#openUntil > now
  }

  /** Takes out what others do not know yet; undefined: nothing. */
  takeNews(now: number): BreakerNews | undefined {
    const { ok, failed } = this.#news
    const rest = Math.ceil(this.#openUntil - now)
    const pause = this.#hasPauseNews && rest > 0 ? { pause: { ms: rest, cause: this.#cause } } : {}
    this.#news = { ok: 0, failed: 0 }
    this.#hasPauseNews = false
    return ok + failed === 0 && !('pause' in pause) ? undefined : { ok, failed, ...pause }
  }

  /** Whether it says no more than one that nobody has kept. */
  isForgettable(now: number): boolean {
    if (this.#openUntil !== 0 || now - this.#touchedAt < CallWindow.lengthMs) return false
    return (this.#trips === 0 && this.#inARow === 0) || now - Math.max(this.#closedAt, this.#touchedAt) > FORGIVEN_MS
  }

  #succeed(counts: { ok: number; failed: number }, now: number): void {
    this.#touchedAt = now
    this.#inARow = 0
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
    this.#inARow = counts.ok > 0 ? 0 : this.#inARow + counts.failed
    if (this.#openUntil > now || !this.#isEnough(now)) return false
    if (now - this.#closedAt > FORGIVEN_MS && this.#openUntil === 0) this.#trips = 0
    this.#trips += 1
    this.#inARow = 0
    this.#cause = 'failures'
    this.#openUntil = now + Math.min(FIRST_PAUSE_MS * 2 ** (this.#trips - 1), MAX_PAUSE_MS)
    return true
  }

  /** A failed probe is enough, and one failure soon after a good one; else a run of failures, or a share of them. */
  #isEnough(now: number): boolean {
    if (this.#openUntil !== 0) return true
    if (this.#trips > 0 && now - this.#closedAt < TRIAL_MS) return true
    if (this.#inARow >= IN_A_ROW) return true
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

  /** 0 good … 1 nothing works … 2 the key is dead: for a choice among those that are all open. */
  #badness(now: number): number {
    if (this.#cause === 'dead') return 2
    if (this.#cause === 'limited') return 1
    const { ok, failed } = this.#window.counts(now)
    return ok + failed === 0 ? 0.5 : failed / (ok + failed)
  }
}

const CLOSED = { kind: 'closed' } as const
