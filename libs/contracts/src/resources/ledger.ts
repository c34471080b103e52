import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Millis, UnixSeconds } from '../units.ts'

/** The result of one check of the ledger. */
export const LedgerCheck = z.object({
  check: z.string(),
  /** Number of compared rows, accounts, hours or events. */
  compared: z.int(),
  differences: z.int(),
  /** The first differences, one line each, with ids. */
  first: z.array(z.string()),
})
export type LedgerCheck = z.infer<typeof LedgerCheck>

/** The result of `npm run verify:ledger` or of the daily job. */
export const LedgerVerdict = z.object({
  started_at: UnixSeconds,
  duration_ms: Millis,
  /** Differences of all checks. */
  differences: z.int(),
  /** One request in this many was priced again; 1: all of them. */
  sample_one_in: z.int().positive(),
  checks: z.array(LedgerCheck),
  /** Observations that are not differences: unposted events, open requests, wallets in Redis, events lost with a Redis store. */
  facts: z.record(z.string(), z.int()),
  /** Why Redis could not be compared; empty if it was. */
  skipped: z.string(),
})
export type LedgerVerdict = z.infer<typeof LedgerVerdict>

const StoredCheck = LedgerCheck.extend({
  /** Deprecated: `compared` under its name in 1.0.0-rc.1 (ADR 105). */
  looked: z.int(),
})

export const StoredVerdict = LedgerVerdict.extend({
  id: z.int(),
  /** Reports of 1.0.0-rc.1 are without `compared`. */
  checks: z.array(z.preprocess((check) => (isRcCheck(check) ? { compared: check.looked, ...check } : check), StoredCheck)),
  /** Origin of the check. */
  source: z.enum(['job', 'command']),
  /** Everything was compared and nothing differs. */
  is_sound: z.boolean(),
})
export type StoredVerdict = z.infer<typeof StoredVerdict>

const isRcCheck = (check: unknown): check is { readonly looked: unknown } =>
  typeof check === 'object' && check !== null && 'looked' in check && !('compared' in check)

/** A shard that was set to the posted state after Redis came back older or empty. */
export const LedgerRepair = z.object({
  shard: z.int(),
  created_at: UnixSeconds,
  reason: z.string(),
  /** The last event number that Redis had counted, that was posted, and from which the shard continues. */
  redis_n: z.int(),
  posted_n: z.int(),
  restored_n: z.int(),
  /** Numbers without an event in Redis or Postgres; events that relays sent again; events that were not sent again. */
  missing: z.int(),
  resent: z.int(),
  lost: z.int(),
})
export type LedgerRepair = z.infer<typeof LedgerRepair>

export const LedgerReport = StoredVerdict.extend({
  /** The newest shard repairs. */
  repairs: z.array(LedgerRepair),
})
export type LedgerReport = z.infer<typeof LedgerReport>

export const ledger = {
  report: endpoint({
    method: 'GET',
    path: '/api/ledger/report',
    access: 'root',
    summary: 'The result of the last ledger check; null before the first (ours)',
    data: LedgerReport.nullable(),
  }),
  verify: endpoint({
    method: 'POST',
    path: '/api/ledger/verify',
    access: 'root',
    summary: 'Starts a ledger check in the worker; its result can be read when it has ended (ours)',
  }),
}
