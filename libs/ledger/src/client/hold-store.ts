import { Quote, Usage } from '@tollgate/contracts/pricing/quote'
import type { ShapeOf } from '@tollgate/contracts/values/shape-of'
import { serverOf, type LedgerServers } from '@tollgate/redis/ledger-servers'
import { z } from 'zod'
import { decodeHold, type OpenHold } from './hold-codec.ts'
import { keys } from '@tollgate/redis/keys'
import type { Progress } from './types.ts'

export type ListedHold = { readonly request_id: string; readonly hold: OpenHold }

const ProgressSchema = z.object({
  request_id: z.string(),
  shard: z.int(),
  is_delivered: z.boolean(),
  usage: Usage,
  channel_id: z.int(),
  channel_name: z.string(),
  channel_type: z.int(),
  upstream_model: z.string(),
  first_token_ms: z.number(),
  moved: z.object({ group: z.string(), model: z.string().optional(), quote: Quote }).optional(),
} satisfies ShapeOf<Progress>)

/** The open holds of a shard, without tombstones. */
export async function listOpenHolds(servers: LedgerServers, shard: number): Promise<ListedHold[]> {
  const found: ListedHold[] = []
  for (const [request_id, text] of Object.entries(await serverOf(servers, shard).hgetall(keys.holds(shard)))) {
    const hold = decodeHold(text)
    if (hold?.kind === 'open') found.push({ request_id, hold })
  }
  return found
}

/** The hold of one request; undefined unless it is open. */
export async function findOpenHold(servers: LedgerServers, shard: number, requestId: string): Promise<OpenHold | undefined> {
  const text = await serverOf(servers, shard).hget(keys.holds(shard), requestId)
  const hold = text === null ? undefined : decodeHold(text)
  return hold?.kind === 'open' ? hold : undefined
}

/** The pending event and the last written progress of an open request. */
export async function findPendingEvent(
  servers: LedgerServers,
  shard: number,
  requestId: string,
): Promise<{ pendingEvent: string | undefined; progress: Progress | undefined }> {
  const redis = serverOf(servers, shard)
  const [pendingEvent, progress] = await Promise.all([
    redis.hget(keys.pendingEvents(shard), requestId),
    redis.hget(keys.progress(shard), requestId),
  ])
  const parsed = progress === null ? undefined : ProgressSchema.safeParse(JSON.parse(progress))
  return { pendingEvent: pendingEvent ?? undefined, progress: parsed?.data }
}
