import type { LedgerVerdict } from '@tollgate/contracts/resources/ledger'
import { createLedgerReport } from '@tollgate/db/queries/ledger/ledger-reports'
import { ADVISORY_LOCKS, whileLocked } from '@tollgate/db/queries/installation/advisory-locks'
import { withStatements } from '@tollgate/db/statement-limits'
import type { Handler, JobResult } from '@tollgate/jobs/jobs'
import type { Logger } from '@tollgate/telemetry/logger'
import type { Deps } from '../deps.ts'
import { limitsOf, verifyLedger as verify } from '../verify/verify.ts'

type Alarm = { readonly log: Pick<Logger, 'info' | 'warn' | 'error'> }

/** Safe to run twice: reads only and appends a report; an advisory lock admits one worker at a time. */
export const verifyLedger =
  (deps: Pick<Deps, 'db' | 'ledgerRedis' | 'env'> & Alarm): Handler<'verify-ledger'> =>
  async (_payload, { signal }) => {
    const result = await whileLocked(deps.db, ADVISORY_LOCKS.verifier, (lost) => compare(deps, AbortSignal.any([signal, lost])))
    return result === 'busy' ? { outcome: 'busy', differences: 0 } : result
  }

async function compare(
  { db, ledgerRedis, env, log }: Pick<Deps, 'db' | 'ledgerRedis' | 'env'> & Alarm,
  signal: AbortSignal,
): Promise<JobResult<'verify-ledger'>> {
  const { is_sound, verdict } = await withStatements('long', () => verify({ db, redis: ledgerRedis, limits: limitsOf(env), signal }))
  await createLedgerReport(db, { source: 'job', is_sound, verdict })
  tell({ log }, verdict)
  const { differences } = verdict
  return { outcome: differences > 0 ? 'different' : is_sound ? 'sound' : 'incomplete', differences }
}

function tell({ log }: Alarm, { differences, checks, skipped, duration_ms }: LedgerVerdict): void {
  const detail = checks.flatMap(({ check, first }) => first.slice(0, 1).map((line) => `${check}: ${line}`)).join('; ')
  if (differences > 0) log.error({ count: differences, detail, duration_ms }, 'Ledger check found differences')
  else if (skipped !== '') log.warn({ reason: skipped, duration_ms }, 'Ledger checked in part')
  else log.info({ duration_ms }, 'Ledger check found no differences')
}
