import { sql, type Kysely } from 'kysely'

/** Rows carried from the databases of other programs, so that a second run is a comparison. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table imports (
      name text primary key,
      family text not null,
      fingerprint jsonb not null,
      cursors jsonb not null default '{}',
      report jsonb,
      created_at bigint not null,
      updated_at bigint not null
    )`.execute(db)
  await sql`
    create table imported_rows (
      import_name text not null,
      kind text not null,
      source_id text not null,
      target_id bigint not null,
      digest text not null,
      state jsonb not null default '{}',
      primary key (import_name, kind, source_id)
    )`.execute(db)
}
