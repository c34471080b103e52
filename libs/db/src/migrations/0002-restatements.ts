import { sql, type Kysely } from 'kysely'

/** Accounts whose sums in Redis must be set to what was posted; written by the posting transaction, so that no crash forgets them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table balance_corrections (
      shard int not null,
      subject text not null check (subject in ('user', 'token')),
      subject_id bigint not null,
      n bigint not null,
      primary key (shard, subject, subject_id)
    )`.execute(db)
}
