import { sql, type Kysely } from 'kysely'

/** Redemption codes can end; 0: never. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table redemptions add column expired_time bigint not null default 0`.execute(db)
}
