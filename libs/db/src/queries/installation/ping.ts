import { sql } from 'kysely'
import type { Db } from '../../connect.ts'

/** Rejects when Postgres does not answer; used by the readiness probe. */
export async function pingDb(db: Db): Promise<void> {
  await sql`select 1`.execute(db)
}
