import { sql, type Kysely } from 'kysely'

/**
 * The usage event of a posted request, packed, from which `other`, `usage`, `quote` and `explanation` of its log row are read (ADR 147).
 * Null in rows of earlier versions and in those that are not posted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table logs add column event bytea`.execute(db)
}
