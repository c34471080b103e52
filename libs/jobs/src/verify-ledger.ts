import { z } from 'zod'
import { job } from './job.ts'

export const verifyLedger = job('verify-ledger', {
  summary:
    'Compares every sum of the ledger that is kept twice, prices all charges again, keeps the report and alarms when anything differs.',
  // Not `upkeep`, where it would hold everything else up; this queue takes one more than posting and reaping need.
  queue: 'ledger',
  attempts: 1,
  timeoutMs: 3_600_000,
  payload: z.object({}),
  /** `busy`: another worker is at it. `incomplete`: Redis could not be compared. */
  result: z.object({ outcome: z.enum(['sound', 'different', 'incomplete', 'busy']), differences: z.int() }),
  dedupe: () => 'all',
  schedule: { dailyAt: '04:10', payloads: [{}] },
})
