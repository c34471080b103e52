import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { queryText } from '../values/common-schemas.ts'
import { LogFilter, OwnLogFilter } from './logs.ts'

/** A file of any length, sent while it is read. */
const Csv = z.string()
const Range = OwnLogFilter.pick({ start_timestamp: true, end_timestamp: true })
/** `2026-11`, in UTC; empty: this month. */
const Month = z.object({ month: queryText(7) })

/** Lists as files. */
export const csvExports = {
  logs: endpoint({
    method: 'GET',
    path: '/api/log/export',
    access: 'admin',
    summary: 'The matching log entries as a CSV file, newest first (ours)',
    query: LogFilter,
    answer: Csv,
  }),
  ownLogs: endpoint({
    method: 'GET',
    path: '/api/log/self/export',
    access: 'user',
    right: 'usage.read',
    summary: 'Own matching log entries as a CSV file, newest first (ours)',
    query: OwnLogFilter,
    answer: Csv,
  }),
  wallet: endpoint({
    method: 'GET',
    path: '/api/user/wallet/export',
    access: 'user',
    right: 'wallet.read',
    summary: 'Own wallet entries as a CSV file, oldest first (ours)',
    query: Range,
    answer: Csv,
  }),
  ownAudit: endpoint({
    method: 'GET',
    path: '/api/audit/self/export',
    access: 'user',
    right: 'audit.read',
    summary: 'Audit entries of the own actions, or of all for the organisation, as CSV or JSON lines, newest first (ours)',
    query: z.object({ ...Range.shape, format: z.enum(['csv', 'jsonl']).default('csv') }),
    answer: Csv,
  }),
  wallets: endpoint({
    method: 'GET',
    path: '/api/user/wallets/export',
    access: 'root',
    summary: 'The wallet entries of all users as a CSV file, oldest first (ours)',
    query: Range,
    answer: Csv,
  }),
  own: endpoint({
    method: 'GET',
    path: '/api/user/self/export',
    access: 'user',
    summary: 'All own data as JSON lines: profile, keys without their text, wallet entries, log entries (ours)',
    answer: z.string(),
  }),
  focus: endpoint({
    method: 'GET',
    path: '/api/log/focus/export',
    access: 'root',
    summary: 'Cost and usage of all users in a month as a CSV file in the FOCUS 1.2 format (ours)',
    query: Month,
    answer: Csv,
  }),
  ownFocus: endpoint({
    method: 'GET',
    path: '/api/log/self/focus/export',
    access: 'user',
    right: 'usage.read',
    summary: 'Own cost and usage in a month as a CSV file in the FOCUS 1.2 format (ours)',
    query: Month,
    answer: Csv,
  }),
}
