import { z } from 'zod'
import type { Redis } from 'ioredis'
import { execAll } from '../exec-all.ts'
import { keys } from '../keys.ts'

/** One relay's observations of a channel, model and key since its last report. `pause.ms` is what was left of the pause then. */
const HealthRow = z.object({
  channel_id: z.int(),
  model: z.string(),
  key_id: z.string(),
  ok: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  pause: z.object({ ms: z.number().positive(), cause: z.enum(['failures', 'limited', 'dead']) }).optional(),
})
export type HealthRow = z.infer<typeof HealthRow>

/** A report of another relay, and its age. */
export type HealthReport = { readonly rows: readonly HealthRow[]; readonly age_ms: number }

export type HealthSync = {
  /** Reports this relay's rows and returns the reports of others since the last call, in one pipelined call. Rejects when Redis fails. */
  swap(rows: readonly HealthRow[]): Promise<HealthReport[]>
}

const TTL_MS = 120_000
/** Entries read per call; the rest comes with the next call. */
const MAX = 500
const HealthRows = z.array(HealthRow)

/** Exchanges channel health between relays through one stream that holds two minutes. */
export function createHealthSync(redis: Redis, relayId: string): HealthSync {
  let last = '-'
  return {
    swap: async (rows) => {
      const pipeline = redis.pipeline().time()
      if (rows.length > 0) pipeline.xadd(keys.health(), ...trimmedTo(last), '*', 'by', relayId, 'rows', JSON.stringify(rows))
      if (rows.length > 0) pipeline.pexpire(keys.health(), TTL_MS)
      const replies = await execAll(pipeline.xrange(keys.health(), last === '-' ? '-' : `(${last}`, '+', 'COUNT', MAX))
      const now = toMillis(replies.at(0))
      const reports: HealthReport[] = []
      for (const { id, by, text } of toEntries(replies.at(-1))) {
        last = id
        if (by !== relayId) reports.push({ rows: parseRows(text), age_ms: Math.max(0, now - Number(id.split('-')[0])) })
      }
      return reports
    },
  }
}

/** Trims entries older than the key's lifetime; every relay does it. */
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

/** Rows that this version cannot parse, from a relay of another version, are ignored. */
function parseRows(text: string): readonly HealthRow[] {
  try {
    const parsed = HealthRows.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : []
  } catch {
    // Not JSON: ignored like any row of another version.
    return []
  }
}
