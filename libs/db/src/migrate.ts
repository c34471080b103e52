import type { Kysely } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import type { Db } from './connect.ts'
import * as initial from './migrations/0001-initial.ts'
import * as balance_corrections from './migrations/0002-restatements.ts'
import * as ledgerReports from './migrations/0003-ledger-reports.ts'
import * as ledgerRepairs from './migrations/0004-ledger-repairs.ts'
import * as limits from './migrations/0005-limits.ts'
import * as usageTotals from './migrations/0006-usage-totals.ts'
import * as tokenPages from './migrations/0007-token-pages.ts'
import * as busyHours from './migrations/0008-busy-hours.ts'

/** Every migration, in order. Forward only; never edited after merge. */
const migrations: Record<string, Migration> = {
  '0001-initial': initial,
  '0002-restatements': balance_corrections,
  '0003-ledger-reports': ledgerReports,
  '0004-ledger-repairs': ledgerRepairs,
  '0005-limits': limits,
  '0006-usage-totals': usageTotals,
  '0007-token-pages': tokenPages,
  '0008-busy-hours': busyHours,
}

/** Brings the database to the newest schema; returns the names that ran. Safe to run from several processes at once. */
export async function migrate(db: Db): Promise<string[]> {
  const migrator = new Migrator({ db: db as unknown as Kysely<unknown>, provider: { getMigrations: async () => migrations } })
  const { error, results } = await migrator.migrateToLatest()
  if (error !== undefined) throw new Error('migration failed', { cause: error })
  return (results ?? []).map((result) => result.migrationName)
}
