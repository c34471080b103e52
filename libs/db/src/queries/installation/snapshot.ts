import { sql } from 'kysely'
import type { Db, Tx } from '../../connect.ts'

/**
 * Raises the version of the configuration and returns it. The row stays locked until the transaction ends, so versions follow commit
 * order. Call it last in the transaction of the change.
 */
export async function raiseSnapshotVersion(tx: Tx): Promise<number> {
  const row = await tx
    .updateTable('snapshot_versions')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .returning('version')
    .executeTakeFirstOrThrow()
  return row.version
}

/** The version of the last committed configuration change. */
export async function getSnapshotVersion(db: Db | Tx): Promise<number> {
  const row = await db.selectFrom('snapshot_versions').select('version').executeTakeFirstOrThrow()
  return row.version
}

/**
 * Changes with every option and with every change of a channel. An option's text counts, because one that no relay reads raises no version.
 */
export async function getPricingFingerprint(db: Db | Tx): Promise<string> {
  const { rows } = await sql<{ fingerprint: string }>`
    select (select version from snapshot_versions) || ' ' || coalesce((select md5(string_agg(key || ' ' || value, '' order by key)) from options), '')
      || ' ' || coalesce((select string_agg(id::text, ' ' order by id) from price_changes where state = 'waiting'), '')
      as fingerprint`.execute(db)
  return rows[0]?.fingerprint ?? ''
}

/** Raises the version above one that Redis already has: Postgres was restored to a state before that publication. */
export async function raiseSnapshotVersionAbove(db: Db | Tx, past: number): Promise<void> {
  await db
    .updateTable('snapshot_versions')
    .set({ version: past + 1 })
    .where('version', '<=', past)
    .execute()
}
