/** BullMQ's key prefix. The braces keep the keys of a queue in one cluster slot. */
export const QUEUE_PREFIX = '{bull}'

/** Connection options for BullMQ, which opens its own connections: its blocking reads must not share one with other commands. */
export function queueConnection(url: string): { url: string; maxRetriesPerRequest: null } {
  return { url, maxRetriesPerRequest: null }
}
