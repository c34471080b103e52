import { sql, type Kysely } from 'kysely'

/** The minutes of the hours in `refusals`, for ranges that begin or end within an hour. A version before this one counts hours only. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table refusals_by_minute (
      minute bigint not null,
      user_id bigint not null,
      token_id bigint not null,
      reason text not null,
      seen bigint not null,
      listed bigint not null,
      primary key (user_id, token_id, reason, minute)
    )`.execute(db)
  await sql`create index refusals_by_minute_minute on refusals_by_minute (minute)`.execute(db)
}
