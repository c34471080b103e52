import { sql, type Kysely } from 'kysely'

/** Views of the console as a user that have not ended, so that the end of each is entered in the audit log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table account_views (
      id_hash text primary key,
      user_id bigint not null,
      viewer_id bigint not null,
      viewer_name text not null,
      viewer_role int not null,
      viewer_session text not null,
      ip text not null,
      started_at bigint not null,
      ends_at bigint not null
    )`.execute(db)
}
