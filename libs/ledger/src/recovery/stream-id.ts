import type { Redis } from '@tollgate/redis/connect'

/** Id of the newest entry a stream ever had, removed entries included; `0-0` when the stream does not exist. */
export async function readLastStreamId(redis: Redis, key: string): Promise<string> {
  const info: unknown = await redis.xinfo('STREAM', key).catch(unlessMissing)
  if (info === undefined) return '0-0'
  if (!Array.isArray(info)) throw new Error('XINFO STREAM did not answer a list')
  return String(info[info.indexOf('last-generated-id') + 1])
}

function unlessMissing(cause: unknown): undefined {
  if (!(cause instanceof Error && cause.message.includes('no such key'))) throw cause
}

/** Negative when `a` is older than `b`. Ids are `ms-seq`. */
export function compareStreamIds(a: string, b: string): number {
  const [aMs = '0', aSeq = '0'] = a.split('-')
  const [bMs = '0', bSeq = '0'] = b.split('-')
  return Number(aMs) - Number(bMs) || Number(aSeq) - Number(bSeq)
}
