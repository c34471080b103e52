import { sql, type Kysely } from 'kysely'

/** Files that prompts refer to have a media type; those of batches have none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table files
      add column mime_type text,
      drop constraint files_purpose_check,
      add constraint files_purpose_check check (purpose in ('batch', 'batch_output', 'user_data', 'vision'))
  `.execute(db)
}
