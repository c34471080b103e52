import type { Kysely } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import type { Db } from './connect.ts'
import * as initial from './migrations/0001-initial.ts'

/** Every migration, in order. After the first release migrations only add, and a merged one is never edited. */
const migrations: Record<string, Migration> = {
  '0001-initial': initial,
}

/** Migrates the database to the newest schema and returns the names of the migrations that ran. Safe to run from several processes at once. */
export async function migrate(db: Db): Promise<string[]> {
  const migrator = new Migrator({ db: db as unknown as Kysely<unknown>, provider: { getMigrations: async () => migrations } })
  const { error, results } = await migrator.migrateToLatest()
  if (error !== undefined) throw new Error('migration failed', { cause: error })
  return (results ?? []).map((result) => result.migrationName)
}
