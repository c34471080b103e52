import { sql, type Kysely } from 'kysely'

/** Counts the waiting deliveries of a user, and finds those of none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index deliveries_waiting on deliveries (user_id, channel, due_at) where state = 'waiting'`.execute(db)
}
