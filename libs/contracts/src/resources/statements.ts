import { z } from 'zod'
import { IdParams, PageQuery, pageOf, queryText } from '../values/common-schemas.ts'
import { endpoint } from '../endpoint.ts'
import { WALLET_ENTRY_KINDS } from '../enums.ts'
import { Quota, UnixSeconds } from '../units.ts'

/** A change of a balance that is not a request. */
export const WalletEntry = z.object({
  id: z.int(),
  created_at: UnixSeconds,
  kind: z.enum(WALLET_ENTRY_KINDS),
  amount: Quota,
  /** Cause of the entry: `redemption:12`, the number of an order. */
  reference: z.string(),
  note: z.string(),
})
export type WalletEntry = z.infer<typeof WalletEntry>

/** A line of a statement: an entry, or what the requests of one day cost. */
export const StatementLine = z.object({
  at: UnixSeconds,
  kind: z.enum([...WALLET_ENTRY_KINDS, 'usage']),
  amount: Quota,
  reference: z.string(),
  note: z.string(),
  /** Requests of the day; 0 for entries. */
  requests: z.int(),
  /** The balance after this line. */
  balance: Quota,
})
export type StatementLine = z.infer<typeof StatementLine>

/** A month (UTC), oldest line first. `opening` plus all amounts is `closing`. */
export const Statement = z.object({
  month: z.string(),
  opening: Quota,
  closing: Quota,
  lines: z.array(StatementLine),
  /** The month has more entries than a statement shows; the balances are right. */
  is_cut: z.boolean(),
  /** Usage of an organisation's month by project, the most first; id 0 is tokens without one. Absent: a person's account. */
  projects: z.array(z.object({ id: z.int(), name: z.string(), quota: Quota, requests: z.int() })).optional(),
})
export type Statement = z.infer<typeof Statement>

const WalletEntryPage = pageOf(WalletEntry)
/** `2026-11`; empty: this month. */
const MonthQuery = z.object({ month: queryText(7) })

export const statements = {
  entries: endpoint({
    method: 'GET',
    path: '/api/user/wallet/entries',
    load: 'heavy',
    access: 'user',
    right: 'wallet.read',
    summary: 'Own wallet entries, newest first (ours)',
    query: PageQuery,
    data: WalletEntryPage,
  }),
  month: endpoint({
    method: 'GET',
    path: '/api/user/wallet/statement',
    load: 'heavy',
    access: 'user',
    right: 'wallet.read',
    summary: 'The own statement of a month: entries and usage per day, with balances (ours)',
    query: MonthQuery,
    data: Statement,
  }),
  entriesOf: endpoint({
    method: 'GET',
    path: '/api/user/{id}/wallet/entries',
    load: 'heavy',
    access: 'admin',
    summary: 'Wallet entries of a user, newest first (ours)',
    params: IdParams,
    query: PageQuery,
    data: WalletEntryPage,
  }),
  monthOf: endpoint({
    method: 'GET',
    path: '/api/user/{id}/wallet/statement',
    load: 'heavy',
    access: 'admin',
    summary: 'The statement of a user for a month (ours)',
    params: IdParams,
    query: MonthQuery,
    data: Statement,
  }),
}
