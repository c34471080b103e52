import { z } from 'zod'
import type { Redis } from 'ioredis'
import { keys } from '../keys.ts'

/** What one relay saw of one channel, model and key since it spoke last. Pauses are what was left of them then. */
const HealthRow = z.object({
  channel_id: z.int(),
  model: z.string(),
  key_id: z.string(),
  ok: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  pause: z.object({ ms: z.number().positive(), cause: z.enum(['failures', 'limited', 'dead']) }).optional(),
})
export type HealthRow = z.infer<typeof HealthRow>

/** What another relay said, and how long ago. */
export type HeardHealth = { readonly rows: readonly HealthRow[]; readonly age_ms: number }

export type HealthSync = {
  /** Says what is new here and hears what the others said since the last time, in one pipelined call. Rejects when Redis is away. */
  swap(rows: readonly HealthRow[]): Promise<HeardHealth[]>
}

const TTL_MS = 120_000
/** Entries taken at once; what is left comes with the next call. */
const MAX = 500
const HealthRows = z.array(HealthRow)

/** One stream that all relays write to and read from, two minutes long. `owner` is this process. */
export function createHealthSync(redis: Redis, relay_id: string): HealthSync {
  let last = '-'
  return {
    swap: async (rows) => {
      const pipeline = redis.pipeline().time()
      if (rows.length > 0) pipeline.xadd(keys.health(), ...trimmedTo(last), '*', 'by', relay_id, 'rows', JSON.stringify(rows))
      if (rows.length > 0) pipeline.pexpire(keys.health(), TTL_MS)
      const replies = await pipeline.xrange(keys.health(), last === '-' ? '-' : `(${last}`, '+', 'COUNT', MAX).exec()
      const [time, entries] = [replies?.at(0), replies?.at(-1)]
      for (const [error] of replies ?? []) if (error !== null) throw error
      const now = toMillis(time?.[1])
      const heard: HeardHealth[] = []
      for (const { id, by, text } of toEntries(entries?.[1])) {
        last = id
        if (by !== relay_id) heard.push({ rows: parseRows(text), age_ms: Math.max(0, now - Number(id.split('-')[0])) })
      }
      return heard
    },
  }
}

/** Everybody shortens it: no entry is of use for longer than the key lives. */
function trimmedTo(last: string): [] | ['MINID', '~', number] {
  return last === '-' ? [] : ['MINID', '~', Number(last.split('-')[0]) - TTL_MS]
}

function toMillis(reply: unknown): number {
  return Array.isArray(reply) ? Number(reply[0]) * 1000 + Math.floor(Number(reply[1]) / 1000) : 0
}

const Entries = z.array(z.tuple([z.string(), z.array(z.string())]))

function toEntries(reply: unknown): { id: string; by: string; text: string }[] {
  return Entries.parse(reply).map(([id, fields]) => ({ id, by: fields[1] ?? '', text: fields[3] ?? '' }))
}

/** A relay of another version may say what this one does not understand: that is left out. */
function parseRows(text: string): readonly HealthRow[] {
  try {
    const parsed = HealthRows.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : []
  } catch {
    // See above.
    return []
  }
}
