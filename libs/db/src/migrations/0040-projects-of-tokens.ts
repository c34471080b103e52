import { sql, type Kysely } from 'kysely'

/** When a token came into its project. Null: when it was made, or before this migration. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tokens add column project_since bigint`.execute(db)
}
