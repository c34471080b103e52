import { sql, type Kysely } from 'kysely'

/** Tokens whose prompts and answers go to the OpenTelemetry collector. Null: never. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tokens add column telemetry_content boolean`.execute(db)
}
