import { HOUR_SECONDS } from '@tollgate/contracts/units'
import type { RefusalBatch, RefusalCount, RefusedRequest } from '@tollgate/contracts/relay/refusal'
import { RefusalSample } from '@tollgate/domain/rate-limit/refusal-sample'

/** A batch stays below 64 KB. */
const MAX_ROWS = 50
const MAX_COUNTS = 400
/** Pairs of token and reason that are counted one by one; beyond that many the counts of an hour share one entry per reason. */
const MAX_ENTRIES = 10_000
const MAX_TOKENS = 10_000

/** Refused requests that were not sent yet, in bounded memory: the counts are exact, rows are a sample. */
export class RefusalQueue {
  readonly #counts = new Map<string, { -readonly [K in keyof RefusalCount]: RefusalCount[K] }>()
  #requests: RefusedRequest[] = []
  readonly #sample = new RefusalSample()
  #minute = 0

  /** Counts a refused request. `toRequest` makes its row, if it gets one. */
  add(
    refused: { at: number; user_id: number; token_id: number; reason: string },
    perMinute: number,
    toRequest: () => RefusedRequest,
  ): void {
    const minute = Math.floor(refused.at / 60_000) * 60
    if (minute > this.#minute || this.#sample.tokens >= MAX_TOKENS) {
      this.#sample.clear()
      this.#minute = minute
    }
    const { user_id, token_id, reason } = refused
    this.#count({ minute, user_id, token_id, reason, seen: 1 })
    if (this.#requests.length < MAX_ROWS && this.#sample.take({ minute, token_id, reason }, perMinute)) this.#requests.push(toRequest())
  }

  get isEmpty(): boolean {
    return this.#counts.size === 0
  }

  /** Removes and returns what fits into one batch. */
  take(): RefusalBatch {
    const counts: RefusalCount[] = []
    for (const [key, count] of this.#counts) {
      if (counts.length >= MAX_COUNTS) break
      counts.push(count)
      this.#counts.delete(key)
    }
    const requests = this.#requests
    this.#requests = []
    return { requests, counts }
  }

  /** Takes back the counts of a batch that could not be sent. */
  putBack({ counts }: RefusalBatch): void {
    for (const count of counts) this.#count(count)
  }

  #count(count: RefusalCount): void {
    const { minute, user_id, token_id, reason, seen } = count
    const key = `${minute} ${user_id} ${token_id} ${reason}`
    const known = this.#counts.get(key)
    if (known !== undefined) known.seen += seen
    else if (this.#counts.size < MAX_ENTRIES || token_id === SHARED.token_id) this.#counts.set(key, { ...count })
    else this.#count({ ...SHARED, minute: minute - (minute % HOUR_SECONDS), reason, seen })
  }
}

const SHARED = { user_id: 0, token_id: 0 } as const
