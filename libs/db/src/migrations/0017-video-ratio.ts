import { sql, type Kysely } from 'kysely'

/** Installations keep their prices: video counts as text until an operator takes its price from the catalogue. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ has_users: boolean }>`select exists (select from users) as has_users`.execute(db)
  if (rows[0]?.has_users !== true) return
  await sql`insert into options (key, value, updated_at) values ('VideoRatio', '{}', 0) on conflict (key) do nothing`.execute(db)
}
