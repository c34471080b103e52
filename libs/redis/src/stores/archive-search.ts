import type { UnixMillis } from '@tollgate/contracts/units'
import { ArchivedRow, ArchiveSearchFault, ArchiveSearchState } from '@tollgate/contracts/values/log-archive'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import { execAll } from '../exec-all.ts'
import { keys } from '../keys.ts'

/** The user who searches, and in which rows. */
const Searcher = z.object({ user_id: z.int(), rows: z.enum(['own', 'all']) })
export type Searcher = z.infer<typeof Searcher>

const SearchRecord = Searcher.extend({
  request_id: z.string(),
  state: ArchiveSearchState,
  fault: ArchiveSearchFault.nullable(),
  objects: z.int(),
  objects_read: z.int(),
  found: z.array(ArchivedRow),
  /** When the worker last wrote it. */
  at: z.number(),
})
export type SearchRecord = z.infer<typeof SearchRecord>

const UNDER_WAY: ReadonlySet<SearchRecord['state']> = new Set(['waiting', 'reading'])

const KEPT_S = 1800
/** The worker writes a search that it reads for every second; one that is so old has lost its worker. */
const SILENT_MS = 60_000

/** Begins a search; an earlier one of the same searcher ends. */
export async function startArchiveSearch(redis: Redis, id: string, record: SearchRecord): Promise<void> {
  await execAll(
    redis
      .multi()
      .set(keys.archiveSearch(id), JSON.stringify(record), 'EX', KEPT_S)
      .set(keys.latestArchiveSearch(record.user_id, record.rows), id, 'EX', KEPT_S),
  )
}

/** Stores the progress of a search; false: another one took its place. */
export async function saveArchiveSearch(redis: Redis, id: string, record: SearchRecord): Promise<boolean> {
  if ((await redis.get(keys.latestArchiveSearch(record.user_id, record.rows))) !== id) return false
  await redis.set(keys.archiveSearch(id), JSON.stringify(record), 'EX', KEPT_S)
  return true
}

/** Ends a search that is under way: one that is cancelled takes its place under this id, so what its worker still writes is not seen. */
export async function cancelArchiveSearch(redis: Redis, id: string, searcher: Searcher, now: UnixMillis): Promise<void> {
  const found = await latestArchiveSearch(redis, searcher, now)
  if (found === undefined || !UNDER_WAY.has(found.state)) return
  await startArchiveSearch(redis, id, { ...found, state: 'cancelled' })
}

export async function readArchiveSearch(redis: Redis, id: string): Promise<SearchRecord | undefined> {
  const text = await redis.get(keys.archiveSearch(id))
  return text === null ? undefined : SearchRecord.safeParse(JSON.parse(text)).data
}

export async function latestArchiveSearch(redis: Redis, { user_id, rows }: Searcher, now: UnixMillis): Promise<SearchRecord | undefined> {
  const id = await redis.get(keys.latestArchiveSearch(user_id, rows))
  const found = id === null ? undefined : await readArchiveSearch(redis, id)
  if (found?.state !== 'reading' || now - found.at < SILENT_MS) return found
  return { ...found, state: 'failed', fault: 'stopped' }
}
