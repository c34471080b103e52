import type { Db } from '@tollgate/db/connect'
import {
  createPartition,
  findOldestStray,
  listPartitions,
  logPartition,
  removePartition,
  type Partition,
} from '@tollgate/db/queries/logs/partitions'
import { withStatements } from '@tollgate/db/statement-limits'
import type { JobResult } from '@tollgate/jobs/jobs'

const DAY_MS = 86_400_000
const KEY_DAYS_AHEAD = 7
const KEY_DAYS_KEPT = 35
const MONTHS_AHEAD = 3

/** Creates upcoming partitions and drops the usage keys of requests that are too old to arrive again. Safe to run twice and concurrently. */
export async function keepPartitions(db: Db, now: Date): Promise<JobResult<'partition-upkeep'>> {
  const created: string[] = []
  for (const partition of [...logPartitions(now), ...keyPartitions(now)]) {
    if (await db.transaction().execute((tx) => createPartition(tx, partition))) created.push(partition.name)
  }
  const oldest = keyPartitionName(new Date(now.getTime() - KEY_DAYS_KEPT * DAY_MS))
  const dropped = (await listPartitions(db, 'usage_keys')).filter((name) => name < oldest)
  for (const name of dropped) await removePartition(db, name)
  return { created, dropped }
}

/**
 * Gives months that are over partitions of their own: an import from the console writes their rows without the right to create tables.
 * Safe to run twice and concurrently.
 */
export async function partitionImportedMonths(db: Db, now: Date): Promise<string[]> {
  const created: string[] = []
  const { from: thisMonth } = logPartition(now)
  for (;;) {
    const oldest = await findOldestStray(db)
    if (oldest === undefined || oldest >= thisMonth) return created
    const partition = logPartition(new Date(oldest * 1000))
    await withStatements('long', () => db.transaction().execute((tx) => createPartition(tx, partition)))
    created.push(partition.name)
  }
}

/** This month and the next ones, in UTC. */
export function logPartitions(now: Date): Partition[] {
  return Array.from({ length: MONTHS_AHEAD + 1 }, (_, ahead) => logPartition(now, ahead))
}

/** Yesterday (for requests that began before midnight), today and the next days. */
export function keyPartitions(now: Date): Partition[] {
  return Array.from({ length: KEY_DAYS_AHEAD + 2 }, (_, index) => {
    const day = new Date(now.getTime() + (index - 1) * DAY_MS)
    return { parent: 'usage_keys', name: keyPartitionName(day), from: Number(isoDay(day)), to: Number(isoDay(day)) }
  })
}

const keyPartitionName = (day: Date): string => `usage_keys_${isoDay(day)}`
const isoDay = (date: Date): string => date.toISOString().slice(0, 10).replaceAll('-', '')
