import type { Redis } from '@tollgate/redis/connect'

/** Id of the newest entry a stream ever had, removed entries included; `0-0` when the stream does not exist. */
export async function readLastStreamId(redis: Redis, key: string): Promise<string> {
  if ((await redis.exists(key)) === 0) return '0-0'
  const info: unknown = await redis.xinfo('STREAM', key)
  if (!Array.isArray(info)) throw new Error('XINFO STREAM did not answer a list')
  return String(info[info.indexOf('last-generated-id') + 1])
}

/** Negative when `a` is older than `b`. Ids are `ms-seq`. */
export function compareStreamIds(a: string, b: string): number {
  const [aMs = '0', aSeq = '0'] = a.split('-')
  const [bMs = '0', bSeq = '0'] = b.split('-')
  return Number(aMs) - Number(bMs) || Number(aSeq) - Number(bSeq)
}
