import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Millis, UnixSeconds } from '../units.ts'

/** What one check of the ledger looked at and what it found. */
export const LedgerCheck = z.object({
  check: z.string(),
  /** How many rows, accounts, hours or events it looked at. */
  looked: z.int(),
  differences: z.int(),
  /** The first differences, one line each, with ids. */
  first: z.array(z.string()),
})
export type LedgerCheck = z.infer<typeof LedgerCheck>

/** What a run of `npm run verify:ledger`, or of the daily job, found. */
export const LedgerVerdict = z.object({
  started_at: UnixSeconds,
  duration_ms: Millis,
  /** Sum of the checks' differences. */
  differences: z.int(),
  /** One request in this many was priced again; 1: every one. */
  sample_one_in: z.int().positive(),
  checks: z.array(LedgerCheck),
  /** What is no difference: events that wait, open requests, wallets in Redis. */
  facts: z.record(z.string(), z.int()),
  /** Why Redis could not be compared; empty when it was. */
  skipped: z.string(),
})
export type LedgerVerdict = z.infer<typeof LedgerVerdict>

export const LedgerReport = LedgerVerdict.extend({
  id: z.int(),
  /** Who ran it. */
  source: z.enum(['job', 'command']),
  /** Everything was compared and nothing differs. */
  is_sound: z.boolean(),
})
export type LedgerReport = z.infer<typeof LedgerReport>

export const ledger = {
  report: endpoint({
    method: 'GET',
    path: '/api/ledger/report',
    access: 'root',
    summary: 'What the last check of the ledger found; null before the first (ours)',
    data: LedgerReport.nullable(),
  }),
  verify: endpoint({
    method: 'POST',
    path: '/api/ledger/verify',
    access: 'root',
    summary: 'Asks the worker to check the ledger now; its report can be read when it has ended (ours)',
  }),
}
