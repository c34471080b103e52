import { StoredVerdict, type LedgerCheck, type LedgerVerdict } from '@tollgate/contracts/resources/ledger'
import type { Db, Tx } from '../../connect.ts'
import { toJsonb } from '../../jsonb.ts'

const KEPT = 100

/** 1.0.0-rc.1 reads `looked`. */
const toStored = (check: LedgerCheck) => ({ ...check, looked: check.compared })

/** Stores a verifier report and deletes all but the last hundred. */
export async function createLedgerReport(
  db: Db | Tx,
  { source, is_sound, verdict }: { source: StoredVerdict['source']; is_sound: boolean; verdict: LedgerVerdict },
): Promise<number> {
  const { id } = await db
    .insertInto('ledger_reports')
    .values({ source, is_sound, verdict: toJsonb({ ...verdict, checks: verdict.checks.map(toStored) }) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .deleteFrom('ledger_reports')
    .where('id', '<=', id - KEPT)
    .execute()
  return id
}

/** The newest report, also one that 1.0.0-rc.1 stored; undefined before the first run. Throws when its format is neither's. */
export async function findLastLedgerReport(db: Db | Tx): Promise<StoredVerdict | undefined> {
  const row = await db
    .selectFrom('ledger_reports')
    .select(['id', 'source', 'is_sound', 'verdict'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { id, source, is_sound, verdict } = row
  return StoredVerdict.parse({ ...verdict, id, source, is_sound })
}
