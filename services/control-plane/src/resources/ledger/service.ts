import type { LedgerRepair, LedgerReport } from '@tollgate/contracts/resources/ledger'
import { findLastLedgerReport } from '@tollgate/db/queries/ledger/ledger-reports'
import { listRepairs, type RepairRow } from '@tollgate/db/queries/ledger/repairs'
import { recordAudit, type By } from '../../audit.ts'
import type { Deps } from '../../deps.ts'

const SHOWN_REPAIRS = 20

/** The result of the last check; null before the first. */
export async function getLastReport({ db }: Deps): Promise<LedgerReport | null> {
  const [verdict, repairs] = await Promise.all([findLastLedgerReport(db), listRepairs(db, SHOWN_REPAIRS)])
  return verdict === undefined ? null : { ...verdict, repairs: repairs.map(toRepair) }
}

function toRepair({ shard, created_at, reason, redis_n, posted_n, restored_n, missing, resent, lost }: RepairRow): LedgerRepair {
  return { shard, created_at, reason, redis_n, posted_n, restored_n, missing, resent, lost }
}

/** Adds a check to the worker's queue; a check that already waits there is not added twice. */
export async function requestReport(deps: Deps, by: By): Promise<void> {
  await deps.jobs.enqueue('verify-ledger', {})
  await deps.db.transaction().execute((tx) => recordAudit(deps, tx, by, [{ action: 'verify', resource: 'ledger', resource_id: '' }]))
}
