import { sql, type Kysely } from 'kysely'

/**
 * Log rows on their way to a store beside Postgres (ADR 141). `log_store` has a row once this installation uses one. `batch` numbers what
 * is sent together, and is fixed before it is sent, so that what is sent again is the same.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table log_store (
      id int primary key default 1 check (id = 1),
      created_at bigint not null,
      batch bigint not null default 0,
      taken_until bigint not null default 0,
      moved_at bigint not null default 0,
      moved_id bigint not null default 0,
      moved bigint not null default 0
    )`.execute(db)
  await sql`
    create table log_outbox (
      id bigint primary key generated always as identity,
      batch bigint,
      rows int not null,
      is_fed boolean not null,
      first_at bigint not null,
      created_at bigint not null,
      content bytea not null
    )`.execute(db)
  await sql`create index log_outbox_batch on log_outbox (batch) where batch is not null`.execute(db)
}
