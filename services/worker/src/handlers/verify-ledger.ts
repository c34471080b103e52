import type { LedgerVerdict } from '@tollgate/contracts/resources/ledger'
import { createLedgerReport } from '@tollgate/db/queries/ledger-reports'
import { ADVISORY_LOCKS, tryAdvisoryLock } from '@tollgate/db/queries/advisory-locks'
import type { Handler } from '@tollgate/jobs/jobs'
import type { Logger } from '@tollgate/telemetry/logger'
import type { Deps } from '../deps.ts'
import { limitsOf, verifyLedger as verify } from '../verify/verify.ts'

type Alarm = { readonly log: Pick<Logger, 'info' | 'warn' | 'error'> }

/** Safe to run twice: reads only and appends a report; an advisory lock admits one worker at a time. */
export const verifyLedger =
  (deps: Pick<Deps, 'db' | 'redis' | 'env'> & Alarm): Handler<'verify-ledger'> =>
  (_payload, { signal }) =>
    // The transaction only holds the lock, which ends with it even if this process is killed.
    deps.db.transaction().execute(async (tx) => {
      if (!(await tryAdvisoryLock(tx, ADVISORY_LOCKS.verifier))) return { outcome: 'busy', differences: 0 }
      const { is_sound, verdict } = await verify({ db: deps.db, redis: deps.redis, limits: limitsOf(deps.env), signal })
      await createLedgerReport(deps.db, { source: 'job', is_sound, verdict })
      tell(deps, verdict)
      const { differences } = verdict
      return { outcome: differences > 0 ? 'different' : is_sound ? 'sound' : 'incomplete', differences }
    })

function tell({ log }: Alarm, { differences, checks, skipped, duration_ms }: LedgerVerdict): void {
  const detail = checks.flatMap(({ check, first }) => first.slice(0, 1).map((line) => `${check}: ${line}`)).join('; ')
  if (differences > 0) log.error({ count: differences, detail, duration_ms }, 'Ledger check found differences')
  else if (skipped !== '') log.warn({ reason: skipped, duration_ms }, 'Ledger checked in part')
  else log.info({ duration_ms }, 'Ledger check found no differences')
}
