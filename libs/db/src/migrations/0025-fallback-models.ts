import { sql, type Kysely } from 'kysely'

/** A token's own chain of models, separated by commas; empty: none. null: the chains of the options. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tokens add column fallback_models text check (octet_length(fallback_models) <= 2048)`.execute(db)
}
