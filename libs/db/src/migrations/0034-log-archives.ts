import { sql, type Kysely } from 'kysely'

/** Months of the log whose rows are in the object store. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table log_archives (
      month text primary key check (month ~ '^[0-9]{4}-[0-9]{2}$'),
      state text not null check (state in ('writing', 'archived', 'restoring', 'restored')),
      parts jsonb not null default '[]',
      restored_parts int not null default 0,
      error text not null default '',
      requested_by text not null default '',
      created_at bigint not null,
      finished_at bigint not null default 0,
      taken_until bigint not null default 0
    )`.execute(db)
}
