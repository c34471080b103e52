import { Redis } from 'ioredis'

/**
 * `ledger`: answers at once or fails at once; nothing is queued while Redis is away and nothing is sent twice after a reconnect.
 * `plain`: for everything else (sessions, snapshot, token records), with ioredis' patience but without endless retries.
 */
export type RedisKind = 'ledger' | 'plain'

/** Opens a connection of its own; never share the ledger's with BullMQ or a blocking read. */
export function connectRedis(url: string, kind: RedisKind): Redis {
  const redis = new Redis(url, {
    ...(kind === 'ledger' ? ledgerOptions : plainOptions),
    retryStrategy: (times) => Math.min(50 * times, 1000),
  })
  // Without a listener ioredis prints each failed reconnect; callers see the failure in their own answers.
  redis.on('error', () => undefined)
  return redis
}

const ledgerOptions = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  commandTimeout: 500,
} as const

const plainOptions = { maxRetriesPerRequest: 3, enableAutoPipelining: true } as const

const gathering = new WeakSet<Redis['stream']>()

/**
 * What is written to this connection in one turn of the event loop leaves together. ioredis' own pipelining does the same for half
 * as much again of a command's whole cost, and most turns carry one command (docs/performance.md).
 */
export function gatherWrites({ stream }: Redis): void {
  // There is none before the first connection.
  if (stream === undefined || gathering.has(stream)) return
  gathering.add(stream)
  stream.cork()
  setImmediate(() => {
    gathering.delete(stream)
    stream.uncork()
  })
}

/** Resolves when the connection can take commands; rejects after `timeoutMs`. For start-up, where the ledger kind queues nothing. */
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
