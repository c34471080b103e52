/** BullMQ's prefix; the braces keep a queue's keys in one cluster slot (the same text stands in the redis room's keys.ts). */
export const QUEUE_PREFIX = '{bull}'

/** BullMQ opens connections of its own from this; its blocking reads must never share one with anything else. */
export function queueConnection(url: string): { url: string; maxRetriesPerRequest: null } {
  return { url, maxRetriesPerRequest: null }
}
