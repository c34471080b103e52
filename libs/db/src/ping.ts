import { sql } from 'kysely'
import type { Db } from './connect.ts'

/** One row from Postgres, or the reason why there is none: for readiness checks. */
export async function pingDb(db: Db): Promise<void> {
  await sql`select 1`.execute(db)
}
