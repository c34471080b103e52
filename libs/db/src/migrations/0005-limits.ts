import { sql, type Kysely } from 'kysely'

/** Requests and tokens per minute and open requests of one token, and of one user over all tokens; null: no limit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tokens add column limits jsonb`.execute(db)
  await sql`alter table users add column limits jsonb`.execute(db)
}
