import { z } from 'zod'
import { job } from './job.ts'

export const verifyLedger = job('verify-ledger', {
  summary:
    'Compares every sum of the ledger that is stored twice, prices all charges again, stores a report and raises an alarm on any difference.',
  // In `upkeep` it would delay all other jobs; `ledger` has one slot more than posting and reaping need.
  queue: 'ledger',
  attempts: 1,
  timeoutMs: 3_600_000,
  payload: z.object({}),
  /** `busy`: another worker runs it. `incomplete`: Redis could not be compared. */
  result: z.object({ outcome: z.enum(['sound', 'different', 'incomplete', 'busy']), differences: z.int() }),
  dedupe: () => 'all',
  schedule: { dailyAt: '04:10', payloads: [{}] },
})
