import { sql, type Kysely } from 'kysely'

/** Result of the latest refresh of prices from a catalogue, and the catalogue's entries by model as they were then. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table price_refresh (
      id smallint primary key default 1 check (id = 1),
      checked_at bigint not null,
      source text not null,
      date text not null,
      applied jsonb not null,
      waiting jsonb not null,
      baseline jsonb not null,
      message text not null default ''
    )`.execute(db)
}
