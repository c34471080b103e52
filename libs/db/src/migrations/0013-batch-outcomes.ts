import { sql, type Kysely } from 'kysely'

/** Lines of a batch that were never sent, by reason; its lines are deleted when it ends. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table batches add column cancelled integer not null default 0, add column expired integer not null default 0`.execute(db)
}
