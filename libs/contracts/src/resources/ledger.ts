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
  /** What is no difference: events that wait, open requests, wallets in Redis, events that stores lost for good. */
  facts: z.record(z.string(), z.int()),
  /** Why Redis could not be compared; empty when it was. */
  skipped: z.string(),
})
export type LedgerVerdict = z.infer<typeof LedgerVerdict>

export const StoredVerdict = LedgerVerdict.extend({
  id: z.int(),
  /** Who ran it. */
  source: z.enum(['job', 'command']),
  /** Everything was compared and nothing differs. */
  is_sound: z.boolean(),
})
export type StoredVerdict = z.infer<typeof StoredVerdict>

/** A shard that was set to what Postgres had posted, after a store came back older or empty. */
export const LedgerRepair = z.object({
  shard: z.int(),
  created_at: UnixSeconds,
  reason: z.string(),
  /** Events that Redis had counted, that were posted, and from which it goes on. */
  redis_n: z.int(),
  posted_n: z.int(),
  restored_n: z.int(),
  /** Numbers without an event in Redis or Postgres; events that relays brought back; events that nobody brought back. */
  missing: z.int(),
  resent: z.int(),
  lost: z.int(),
})
export type LedgerRepair = z.infer<typeof LedgerRepair>

export const LedgerReport = StoredVerdict.extend({
  /** The newest repairs of shards. */
  repairs: z.array(LedgerRepair),
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
