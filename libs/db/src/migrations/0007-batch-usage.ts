import { sql, type Kysely } from 'kysely'

/** The tokens of a batch's answers, as its vendors reported them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table batches add column input_tokens bigint not null default 0, add column cached_tokens bigint not null default 0,
      add column output_tokens bigint not null default 0, add column reasoning_tokens bigint not null default 0`.execute(db)
}
