import { z } from 'zod'
import type { Redis } from 'ioredis'
import { execAll } from '../exec-all.ts'
import { keys } from '../keys.ts'
import { readScript } from '../scripts/read-script.ts'

/** Counts of a channel's calls in one period: successes, failures, and answered calls by latency. */
export type ChannelCounts = { readonly ok: number; readonly failed: number; readonly latency: readonly number[] }

/** The last call that failed on a channel: upstream's answer, without secrets. */
const ChannelError = z.object({
  /** Unix milliseconds. */
  at: z.number(),
  /** HTTP status; 0: no answer. */
  status: z.int(),
  message: z.string(),
  model: z.string(),
  request_id: z.string(),
})
export type ChannelError = z.infer<typeof ChannelError>

/** A breaker that is not closed. `key_id` is empty for a channel with one key, `model` is `*` for all of a key's models. */
const OpenBreaker = z.object({
  channel_id: z.int(),
  model: z.string(),
  key_id: z.string(),
  state: z.enum(['open', 'half-open']),
  cause: z.enum(['failures', 'limited', 'dead']).optional(),
  remaining_ms: z.number(),
})
export type OpenBreaker = z.infer<typeof OpenBreaker>
const BreakerReport = z.object({ at: z.number(), rows: z.array(OpenBreaker) })

export type ActivityReport = {
  /** Start of the period in unix seconds. */
  readonly start: number
  readonly counts: ReadonlyMap<number, ChannelCounts>
  readonly errors: ReadonlyMap<number, ChannelError>
  readonly breakers: readonly OpenBreaker[]
  readonly relay_id: string
  /** Unix milliseconds. */
  readonly now: number
}

const addScript = readScript('channel-activity-add')
const COUNTS_TTL_MS = 75 * 60_000
const ERRORS_TTL_MS = 7 * 24 * 3_600_000
const BREAKERS_TTL_MS = 60_000
/** A relay reports every few seconds; an older report is of a relay that has ended. */
const STALE_MS = 15_000
const CHUNK = 500

/** Adds what a relay has counted, and replaces its list of breakers. Rejects when Redis fails. */
export async function addChannelActivity(redis: Redis, { start, counts, errors, breakers, relay_id, now }: ActivityReport): Promise<void> {
  const rows = [...counts]
  for (let from = 0; from < rows.length; from += CHUNK) {
    const pairs = rows.slice(from, from + CHUNK).flatMap(([id, count]) => [id, encodeCounts(count)])
    await redis.eval(addScript, 1, keys.channelActivity(start), COUNTS_TTL_MS, ...pairs)
  }
  const pipeline = redis.pipeline()
  if (errors.size > 0) {
    pipeline.hset(keys.channelErrors(), Object.fromEntries([...errors].map(([id, error]) => [String(id), JSON.stringify(error)])))
    pipeline.pexpire(keys.channelErrors(), ERRORS_TTL_MS)
  }
  if (breakers.length === 0) pipeline.hdel(keys.openBreakers(), relay_id)
  else
    pipeline.hset(keys.openBreakers(), relay_id, JSON.stringify({ at: now, rows: breakers })).pexpire(keys.openBreakers(), BREAKERS_TTL_MS)
  await execAll(pipeline)
}

/** Counts of these channels, one map per period. */
export async function readChannelActivity(
  redis: Redis,
  { starts, ids }: { starts: readonly number[]; ids: readonly number[] },
): Promise<ReadonlyMap<number, ChannelCounts>[]> {
  if (ids.length === 0) return starts.map(() => new Map())
  const pipeline = redis.pipeline()
  for (const start of starts) pipeline.hmget(keys.channelActivity(start), ...ids.map(String))
  const replies = await execAll(pipeline)
  return replies.map((reply) => {
    const texts: unknown[] = Array.isArray(reply) ? reply : []
    return new Map(
      ids.flatMap((id, at) => {
        const text = texts[at]
        return typeof text === 'string' ? [[id, decodeCounts(text)] as const] : []
      }),
    )
  })
}

/** Counts of all channels that had calls in one of these periods. */
export async function readAllActivity(redis: Redis, starts: readonly number[]): Promise<ReadonlyMap<number, ChannelCounts>[]> {
  const all = await Promise.all(starts.map((start) => redis.hgetall(keys.channelActivity(start))))
  return all.map((fields) => new Map(Object.entries(fields).map(([id, text]) => [Number(id), decodeCounts(text)])))
}

export async function readChannelErrors(redis: Redis, ids: readonly number[]): Promise<ReadonlyMap<number, ChannelError>> {
  if (ids.length === 0) return new Map()
  const texts = await redis.hmget(keys.channelErrors(), ...ids.map(String))
  return new Map(
    ids.flatMap((id, at) => {
      const error = ChannelError.safeParse(parseJson(texts[at] ?? '')).data
      return error === undefined ? [] : [[id, error] as const]
    }),
  )
}

/** The breakers that are not closed in any running relay. */
export async function readOpenBreakers(redis: Redis, now: number): Promise<OpenBreaker[]> {
  const reports = Object.values(await redis.hgetall(keys.openBreakers()))
  return reports.flatMap((text) => {
    const report = BreakerReport.safeParse(parseJson(text)).data
    return report === undefined || now - report.at > STALE_MS ? [] : report.rows
  })
}

const encodeCounts = ({ ok, failed, latency }: ChannelCounts): string => [ok, failed, ...latency].join(',')

function decodeCounts(text: string): ChannelCounts {
  const [ok = 0, failed = 0, ...latency] = text.split(',').map(Number)
  return { ok, failed, latency }
}

/** Undefined for text of another version. */
function parseJson(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    // Written by another version: ignored.
    return undefined
  }
}
