import { sql, type Kysely } from 'kysely'

/** Installations keep their prices: the hours that the catalogue knows are for new ones. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ has_users: boolean }>`select exists (select from users) as has_users`.execute(db)
  if (rows[0]?.has_users !== true) return
  await sql`insert into options (key, value, updated_at) values ('PriceHours', '{}', 0) on conflict (key) do nothing`.execute(db)
}
