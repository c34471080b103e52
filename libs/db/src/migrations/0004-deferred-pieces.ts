import { sql, type Kysely } from 'kysely'

/**
 * Large bodies and answers of background responses in pieces, and what every background response takes. `facts`: what is shown of a
 * request after its body was deleted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table deferred_pieces (
      request_id text not null references deferred_requests (id) on delete cascade,
      part text not null check (part in ('body', 'answer')),
      n int not null,
      content bytea not null,
      primary key (request_id, part, n)
    )`.execute(db)
  await sql`
    alter table deferred_requests
      add column facts text not null default '',
      add column bytes bigint not null default 0,
      add column is_complete boolean not null default true,
      add column has_answer_pieces boolean not null default false,
      add column made_id text not null default ''`.execute(db)
  await sql`
    update deferred_requests set bytes = octet_length(body) + octet_length(answer),
      made_id = case when status = 200 then coalesce(substring(left(answer, 1000) from '"id"\\s*:\\s*"([^"]{1,256})"'), '') else '' end
    where batch_id = ''`.execute(db)
  await sql`create index deferred_stored on deferred_requests (user_id) include (bytes) where batch_id = ''`.execute(db)
}
