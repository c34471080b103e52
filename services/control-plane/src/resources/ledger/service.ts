import type { LedgerReport } from '@tollgate/contracts/resources/ledger'
import { createAuditEntry } from '@tollgate/db/queries/audit'
import { findLastLedgerReport } from '@tollgate/db/queries/ledger-reports'
import { nowSeconds, type Deps } from '../../deps.ts'

/** What the last check found, by whomever; null before the first. */
export async function getLastReport({ db }: Deps): Promise<LedgerReport | null> {
  return (await findLastLedgerReport(db)) ?? null
}

/** Puts a check into the worker's queue; one that waits there already is this one. */
export async function askForReport(deps: Deps, { actor_id, ip }: { actor_id: number; ip: string }): Promise<void> {
  await deps.jobs.enqueue('verify-ledger', {})
  await deps.db
    .transaction()
    .execute((tx) => createAuditEntry(tx, { now: nowSeconds(deps), actor_id, action: 'ledger.verify', subject: 'ledger', detail: {}, ip }))
}
