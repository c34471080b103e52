import type { Redis } from 'ioredis'
import { keys } from '../keys.ts'

/** An import whose process has ended lets another one begin after this time. */
const LOCK_MS = 20_000
const KEPT_S = 7 * 86_400
const CANCELLED_S = 3600

/** Begins an import; false while another one is under way. */
export async function startImportRun(redis: Redis, id: string, record: object): Promise<boolean> {
  if ((await redis.set(keys.importLock(), id, 'PX', LOCK_MS, 'NX')) === null) return false
  await saveImportRun(redis, id, record)
  await redis.set(keys.latestImport(), id, 'EX', KEPT_S)
  return true
}

export async function saveImportRun(redis: Redis, id: string, record: object): Promise<void> {
  await redis.set(keys.importRun(id), JSON.stringify(record), 'EX', KEPT_S)
}

/** The record, whose shape the caller checks, and whether its process still works on it. */
export async function readImportRun(redis: Redis, id: string): Promise<{ record: unknown; isAlive: boolean } | undefined> {
  const [text, lock] = await Promise.all([redis.get(keys.importRun(id)), redis.get(keys.importLock())])
  return text === null ? undefined : { record: JSON.parse(text), isAlive: lock === id }
}

export async function latestImportId(redis: Redis): Promise<string | undefined> {
  return (await redis.get(keys.latestImport())) ?? undefined
}

/** Keeps the lock of an import, and tells whether it goes on. */
export async function continueImportRun(redis: Redis, id: string): Promise<boolean> {
  const [holder, cancelled] = await Promise.all([redis.get(keys.importLock()), redis.exists(keys.importCancelled(id))])
  if (cancelled === 1 || (holder !== null && holder !== id)) return false
  await redis.set(keys.importLock(), id, 'PX', LOCK_MS)
  return true
}

export async function cancelImportRun(redis: Redis, id: string): Promise<void> {
  await redis.set(keys.importCancelled(id), '1', 'EX', CANCELLED_S)
}

/** Lets another import begin. */
export async function endImportRun(redis: Redis, id: string): Promise<void> {
  if ((await redis.get(keys.importLock())) === id) await redis.del(keys.importLock())
}

export async function saveImportReportOf(redis: Redis, id: string, compressed: Buffer): Promise<void> {
  await redis.set(keys.importReport(id), compressed, 'EX', KEPT_S)
}

export async function readImportReportOf(redis: Redis, id: string): Promise<Buffer | undefined> {
  return (await redis.getBuffer(keys.importReport(id))) ?? undefined
}

export async function keepImportSource(redis: Redis, id: string, sealed: string, seconds: number): Promise<void> {
  await redis.set(keys.importSource(id), sealed, 'EX', seconds)
}

export async function readImportSource(redis: Redis, id: string): Promise<string | undefined> {
  return (await redis.get(keys.importSource(id))) ?? undefined
}

export async function dropImportSource(redis: Redis, id: string): Promise<void> {
  await redis.del(keys.importSource(id))
}

/** Forgets an import and its report. */
export async function dropImportRun(redis: Redis, id: string): Promise<void> {
  await redis.del(keys.importRun(id), keys.importReport(id))
  if ((await redis.get(keys.latestImport())) === id) await redis.del(keys.latestImport())
}
