import { setTimeout as wait } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import type { Db, Tx } from './connect.ts'
import { isLockTimeout } from './refused-lock.ts'
import { withStatements } from './statement-limits.ts'
import * as initial from './migrations/0001-initial.ts'
import * as bonusClaims from './migrations/0002-bonus-claims.ts'
import * as waitingDeliveries from './migrations/0003-waiting-deliveries.ts'
import * as deferredPieces from './migrations/0004-deferred-pieces.ts'
import * as taskRefunds from './migrations/0005-task-refunds.ts'
import * as codeEnds from './migrations/0006-code-ends.ts'
import * as batchUsage from './migrations/0007-batch-usage.ts'
import * as pricesOfRc1 from './migrations/0008-prices-of-rc1.ts'
import * as mailedCodes from './migrations/0009-mailed-codes.ts'
import * as priceHistory from './migrations/0010-price-history.ts'
import * as refusalsByMinute from './migrations/0011-refusals-by-minute.ts'
import * as storedTotal from './migrations/0012-stored-total.ts'
import * as batchOutcomes from './migrations/0013-batch-outcomes.ts'
import * as priceHours from './migrations/0014-price-hours.ts'
import * as channelFailures from './migrations/0015-channel-failures.ts'
import * as priceRefresh from './migrations/0016-price-refresh.ts'
import * as videoRatio from './migrations/0017-video-ratio.ts'
import * as taskReports from './migrations/0018-task-reports.ts'
import * as filesOfPrompts from './migrations/0019-files-of-prompts.ts'
import * as accountViews from './migrations/0020-account-views.ts'
import * as budgets from './migrations/0021-budgets.ts'
import * as receiptKeys from './migrations/0022-receipt-keys.ts'
import * as organisations from './migrations/0023-organisations.ts'
import * as imports from './migrations/0024-imports.ts'
import * as fallbackModels from './migrations/0025-fallback-models.ts'
import * as provisioning from './migrations/0026-provisioning.ts'
import * as whatIf from './migrations/0028-what-if.ts'
import * as vendorInvoices from './migrations/0029-vendor-invoices.ts'
import * as sinks from './migrations/0030-sinks.ts'
import * as statusPage from './migrations/0031-status-page.ts'
import * as managedRecords from './migrations/0033-managed-records.ts'
import * as logArchives from './migrations/0034-log-archives.ts'
import * as telemetryContent from './migrations/0035-telemetry-content.ts'
import * as logOutbox from './migrations/0036-log-outbox.ts'
import * as packedEvents from './migrations/0037-packed-events.ts'
import * as receiptHashes from './migrations/0038-receipt-hashes.ts'
import * as budgetsOfMembers from './migrations/0039-budgets-of-members.ts'
import * as projectsOfTokens from './migrations/0040-projects-of-tokens.ts'

type Migration = { up(db: Kysely<unknown>): Promise<void> }

/** Every migration, in order. After the first release migrations only add, and a merged one is never edited. */
const migrations: Record<string, Migration> = {
  '0001-initial': initial,
  '0002-bonus-claims': bonusClaims,
  '0003-waiting-deliveries': waitingDeliveries,
  '0004-deferred-pieces': deferredPieces,
  '0005-task-refunds': taskRefunds,
  '0006-code-ends': codeEnds,
  '0007-batch-usage': batchUsage,
  '0008-prices-of-rc1': pricesOfRc1,
  '0009-mailed-codes': mailedCodes,
  '0010-price-history': priceHistory,
  '0011-refusals-by-minute': refusalsByMinute,
  '0012-stored-total': storedTotal,
  '0013-batch-outcomes': batchOutcomes,
  '0014-price-hours': priceHours,
  '0015-channel-failures': channelFailures,
  '0016-price-refresh': priceRefresh,
  '0017-video-ratio': videoRatio,
  '0018-task-reports': taskReports,
  '0019-files-of-prompts': filesOfPrompts,
  '0020-account-views': accountViews,
  '0021-budgets': budgets,
  '0022-receipt-keys': receiptKeys,
  '0023-organisations': organisations,
  '0024-imports': imports,
  '0025-fallback-models': fallbackModels,
  '0026-provisioning': provisioning,
  '0028-what-if': whatIf,
  '0029-vendor-invoices': vendorInvoices,
  '0030-sinks': sinks,
  '0031-status-page': statusPage,
  '0033-managed-records': managedRecords,
  '0034-log-archives': logArchives,
  '0035-telemetry-content': telemetryContent,
  '0036-log-outbox': logOutbox,
  '0037-packed-events': packedEvents,
  '0038-receipt-hashes': receiptHashes,
  '0039-budgets-of-members': budgetsOfMembers,
  '0040-projects-of-tokens': projectsOfTokens,
}

/** The names of all migrations, in order. */
export const migrationNames: readonly string[] = Object.keys(migrations)

/** Migrates the database to the newest schema and returns the names of the migrations that ran. Safe to run from several processes at once. */
export async function migrate(db: Db): Promise<string[]> {
  return await migrateUntil(db, migrationNames)
}

/** Migrates the database up to this migration, for the rows of a backup that was taken there. */
export async function migrateTo(db: Db, name: string): Promise<void> {
  if (!(name in migrations)) throw new Error(`migration ${name} is unknown: it comes from a newer version of Tollgate`)
  await migrateUntil(db, migrationNames.slice(0, migrationNames.indexOf(name) + 1))
}

/** Services wait behind a migration that waits for a lock, so it soon gives up its place and comes again. */
const LOCK_WAIT_MS = 500
const NEXT_TRY_MS = 1000
/** Long enough for a backup or an export to end. */
const TRY_FOR_MS = 900_000

/** One transaction per migration: the locks of one are gone before the next. */
async function migrateUntil(db: Db, wanted: readonly string[]): Promise<string[]> {
  return await withStatements('long', async () => {
    const ran: string[] = []
    await inTurn(db, prepareRecords)
    for (;;) {
      const name = await retryLocked(() => inTurn(db, (tx) => runNext(tx, wanted)))
      if (name === undefined) return ran
      ran.push(name)
    }
  })
}

async function retryLocked<T>(work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + TRY_FOR_MS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isLockTimeout(error) || Date.now() > deadline) throw error
      await wait(NEXT_TRY_MS)
    }
  }
}

/** The lock of Kysely's migrator, by which versions before this one wait too. */
const MIGRATION_LOCK = '3853314791062309107'

/** The lock is the transaction's: a transaction pooler would share that of a session, and leave it behind. */
async function inTurn<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)`.execute(tx)
    return await work(tx)
  })
}

const FIRST = '0001-initial'

/**
 * 1.0.0-rc.1 does not start when `kysely_migration` names a migration that it does not know, so that table keeps the first one only. The
 * others are recorded in `kysely_migration_later`, where names of later versions are left alone.
 */
async function prepareRecords(tx: Tx): Promise<void> {
  const { rows } = await sql<{ is_there: boolean }>`select to_regclass('kysely_migration_later') is not null as is_there`.execute(tx)
  if (rows[0]?.is_there === true) return
  const columns = sql.raw('(name varchar(255) primary key, timestamp varchar(255) not null)')
  await sql`create table if not exists kysely_migration ${columns}`.execute(tx)
  await sql`create table kysely_migration_later ${columns}`.execute(tx)
  await sql`
    with moved as (delete from kysely_migration where name <> ${FIRST} returning name, timestamp)
    insert into kysely_migration_later (name, timestamp) select name, timestamp from moved`.execute(tx)
}

/** Runs the first migration of `wanted` that is not recorded. */
async function runNext(tx: Tx, wanted: readonly string[]): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration union select name from kysely_migration_later`.execute(tx)
  const recorded = new Set(rows.map(({ name }) => name))
  const name = wanted.find((one) => !recorded.has(one))
  if (name === undefined) return undefined
  await sql`select set_config('lock_timeout', ${`${LOCK_WAIT_MS}ms`}, true)`.execute(tx)
  // Migrations speak to no schema in particular.
  await migrations[name]?.up(tx as unknown as Kysely<unknown>)
  const table = sql.table(name === FIRST ? 'kysely_migration' : 'kysely_migration_later')
  await sql`insert into ${table} (name, timestamp) values (${name}, ${new Date().toISOString()})`.execute(tx)
  return name
}
