import { sql, type Kysely } from 'kysely'

/** An upper bound of the bytes of all files and background responses: it grows with them, and is summed again when a limit is reached. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table stored_total (
      id smallint primary key default 1 check (id = 1),
      bytes bigint not null default 0,
      summed_at bigint not null default 0
    )`.execute(db)
  await sql`insert into stored_total default values`.execute(db)
}
