import { sql, type Kysely } from 'kysely'

/** Since when a task's vendor names one state that is not known here, and a digest of what it said; null: it does not. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table task_polls add column unread_since bigint, add column unread_digest text`.execute(db)
}
