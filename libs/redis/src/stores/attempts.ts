import type { Redis } from 'ioredis'
import { readScript } from '../scripts/read-script.ts'

export type AttemptRule = {
  /** Attempts before the first wait. */
  readonly free: number
  /** The first wait; each further attempt doubles it. */
  readonly firstWaitMs: number
  readonly longestWaitMs: number
  /** The count is forgotten this long after the last attempt. */
  readonly lifetimeMs: number
}

export type AttemptResult =
  | { readonly isTaken: true; readonly count: number }
  | { readonly isTaken: false; readonly retry_after_ms: number }

const text = readScript('attempt-take')

/** Counts an attempt at a secret; refuses it while the wait after the previous one lasts. A success calls `forgetAttempts`. */
export async function takeAttempt(redis: Redis, key: string, rule: AttemptRule): Promise<AttemptResult> {
  const { free, firstWaitMs, longestWaitMs, lifetimeMs } = rule
  const reply: unknown = await redis.eval(text, 1, key, free, firstWaitMs, longestWaitMs, lifetimeMs)
  if (!Array.isArray(reply)) throw new Error('attempt-take did not answer a list')
  return Number(reply[0]) === 1 ? { isTaken: true, count: Number(reply[1]) } : { isTaken: false, retry_after_ms: Number(reply[1]) }
}

export async function forgetAttempts(redis: Redis, attemptKeys: readonly string[]): Promise<void> {
  await redis.del(...attemptKeys)
}
