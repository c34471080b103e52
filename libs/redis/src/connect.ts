import type { Redis } from 'ioredis'
import { LedgerRedis } from './ledger-redis.ts'
import { WatchedRedis, type Patience, type WatchedOptions } from './watched-redis.ts'

/**
 * `ledger`: a command is answered or fails within 500 ms; nothing is queued while Redis is unavailable, nothing is sent again after a
 * reconnect. `plain`: for everything else (sessions, snapshot, token records); queues and retries like ioredis, at most three times.
 * `queue`: BullMQ's, which retries without end and blocks while it waits for jobs.
 */
export type RedisKind = 'ledger' | 'plain' | 'queue'

/** Opens a connection, the only way to make one. Never share a ledger connection with BullMQ or a blocking read. */
export function connectRedis(url: string, kind: RedisKind, options: Partial<WatchedOptions> = {}): Redis {
  const all = { ...COMMON, ...KINDS[kind], ...options }
  const redis = kind === 'ledger' ? new LedgerRedis(url, all) : new WatchedRedis(url, all)
  return quiet(redis)
}

/** Without a listener ioredis prints each failed reconnect; callers see the failure of their own commands. */
function quiet(redis: Redis): Redis {
  return redis.on('error', () => undefined)
}

const COMMON = {
  /** A store that is back is used within a second. */
  retryStrategy: (times: number): number => Math.min(50 * times, 1000),
  connectTimeout: 2000,
}

const KINDS: Readonly<Record<RedisKind, WatchedOptions>> = {
  ledger: {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    answerWithinMs: 500,
    quietForMs: 1000,
  },
  plain: { maxRetriesPerRequest: 3, answerWithinMs: 2500, quietForMs: 2000 },
  queue: { maxRetriesPerRequest: null, answerWithinMs: 5000, quietForMs: 2000 },
}

/** For commands that compare or copy whole stores: what they read at once may take its time. */
export const PATIENT: Patience = { answerWithinMs: 30_000, quietForMs: 10_000 }

/** A connection like that one, with other options. */
export function duplicateRedis(redis: Redis, options: Partial<WatchedOptions>): Redis {
  if (!(redis instanceof WatchedRedis)) throw new Error('connectRedis makes all connections')
  return quiet(redis.openAnother(options))
}

/** Resolves when the connection accepts commands; rejects after `timeoutMs`. For start-up, because `ledger` connections do not queue. */
export async function waitUntilReady(redis: Redis, timeoutMs = 10_000): Promise<void> {
  if (redis.status === 'ready') return
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(new Error(`Redis was not ready within ${timeoutMs} ms`)), timeoutMs)
  redis.once('ready', resolve)
  try {
    await promise
  } finally {
    clearTimeout(timer)
    redis.off('ready', resolve)
  }
}

export type { Redis } from 'ioredis'
export type { Patience }
