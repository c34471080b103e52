import { activityStarts, latencyIndex, LATENCY_BOUNDS_MS } from '@tollgate/domain/channel-health/activity'
import type { CallOutcome } from '@tollgate/domain/channel-health/breaker'
import type { Redis } from '@tollgate/redis/connect'
import { every, type Ticks } from '@tollgate/redis/every'
import { addUnexpectedAnswers, type UnexpectedAnswer } from '@tollgate/redis/stores/unexpected-answers'
import { addChannelActivity, type ChannelError, type OpenBreaker } from '@tollgate/redis/stores/channel-activity'

type Counts = { ok: number; failed: number; readonly latency: number[] }
type SeenAnswer = Omit<UnexpectedAnswer, 'count'>
/** Words are the vendor's, so their number is bounded. */
const MAX_UNEXPECTED = 100

type Taken = {
  readonly counts: ReadonlyMap<number, Counts>
  readonly errors: ReadonlyMap<number, ChannelError>
  readonly unexpected: readonly UnexpectedAnswer[]
}

/** Counts the calls of each channel until they are reported, for the console. It has no effect on the choice of channels. */
export class ChannelActivity {
  #counts = new Map<number, Counts>()
  #errors = new Map<number, ChannelError>()
  #unexpected = new Map<string, UnexpectedAnswer>()

  count(channel_id: number, { kind }: CallOutcome): void {
    if (kind === 'neutral') return
    const counts = this.#of(channel_id)
    if (kind === 'ok') counts.ok += 1
    else counts.failed += 1
  }

  /** The time until a channel answered; of a stream, until its first piece. */
  answered(channel_id: number, ms: number): void {
    const { latency } = this.#of(channel_id)
    const index = latencyIndex(ms)
    latency[index] = (latency[index] ?? 0) + 1
  }

  failed(channel_id: number, error: ChannelError): void {
    this.#errors.set(channel_id, error)
  }

  /** An answer that a gateway should understand better. */
  unexpected(answer: SeenAnswer): void {
    const key = JSON.stringify([answer.channel_id, answer.kind, answer.word])
    const before = this.#unexpected.get(key)
    if (before === undefined && this.#unexpected.size >= MAX_UNEXPECTED) return
    this.#unexpected.set(key, { ...answer, count: (before?.count ?? 0) + 1 })
  }

  take(): Taken {
    const taken = { counts: this.#counts, errors: this.#errors, unexpected: [...this.#unexpected.values()] }
    this.#unexpected = new Map()
    this.#counts = new Map()
    this.#errors = new Map()
    return taken
  }

  #of(channel_id: number): Counts {
    const found = this.#counts.get(channel_id)
    if (found !== undefined) return found
    const made = { ok: 0, failed: 0, latency: Array.from({ length: LATENCY_BOUNDS_MS.length + 1 }, () => 0) }
    this.#counts.set(channel_id, made)
    return made
  }
}

type Reporting = {
  readonly activity: ChannelActivity
  readonly listOpen: () => readonly OpenBreaker[]
  readonly redis: Redis
  readonly relay_id: string
  /** Unix milliseconds. */
  readonly now: () => number
  readonly intervalMs?: number
}

const INTERVAL_MS = 3000

/** Reports activity and open breakers off the request path. While Redis is unavailable the counts are dropped. */
export function startActivityReports(options: Reporting): Ticks {
  const { activity, listOpen, redis, relay_id, now, intervalMs = INTERVAL_MS } = options
  let running: Promise<void> | undefined
  let hadBreakers = false
  const report = async (): Promise<void> => {
    const { counts, errors, unexpected } = activity.take()
    const breakers = listOpen()
    if (counts.size === 0 && errors.size === 0 && unexpected.length === 0 && breakers.length === 0 && !hadBreakers) return
    hadBreakers = breakers.length > 0
    const at = now()
    const start = activityStarts(Math.floor(at / 1000), 1)[0] ?? 0
    // Redis is unavailable, which the heartbeat reports.
    await Promise.all([
      addChannelActivity(redis, { start, counts, errors, breakers, relay_id, now: at }),
      addUnexpectedAnswers(redis, unexpected),
    ]).catch(() => undefined)
  }
  return every(intervalMs, () => {
    running ??= report().finally(() => (running = undefined))
  })
}
