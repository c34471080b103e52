import { createIORedisClient, RedisConnection, type RedisOptions } from 'bullmq'
import { connectRedis } from '@tollgate/redis/connect'

/** BullMQ's key prefix. The braces keep the keys of a queue in one cluster slot. */
export const QUEUE_PREFIX = '{bull}'

/** Connection of queues and workers. */
export type QueueConnection = { readonly url: string; readonly maxRetriesPerRequest: null }

/** Connection options for BullMQ, which opens its own connections: its blocking reads must not share one with other commands. */
export function queueConnection(url: string): QueueConnection {
  RedisConnection.clientFactory = makeClient
  return { url, maxRetriesPerRequest: null }
}

/** BullMQ's own connections never leave a server that fell silent, and wait for up to 20 s after an outage. */
function makeClient({ url }: RedisOptions & { readonly url?: string }): ReturnType<typeof createIORedisClient> {
  if (url === undefined) throw new Error('a queue needs an address')
  return createIORedisClient(connectRedis(url, 'queue'))
}
