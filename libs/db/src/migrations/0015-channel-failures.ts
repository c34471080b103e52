import { sql, type Kysely } from 'kysely'

/** Channels that failed, until a request or a test succeeds or a person dismisses it: `cleared_at` is then after `failed_at`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table channel_failures (
      channel_id bigint primary key references channels (id) on delete cascade,
      since bigint not null,
      failed_at bigint not null,
      status int not null default 0,
      message text not null default '',
      model text not null default '',
      cleared_at bigint not null default 0
    )`.execute(db)
}
