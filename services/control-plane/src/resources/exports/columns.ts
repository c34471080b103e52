import { LogType } from '@tollgate/contracts/enums'
import type { Log } from '@tollgate/contracts/resources/logs'
import type { Quota } from '@tollgate/contracts/units'
import type { AuditRow } from '@tollgate/db/queries/installation/audit'
import type { WalletEntryRow } from '@tollgate/db/queries/wallet/wallet-entries'
import { accountText } from '@tollgate/domain/display/account-text'
import { priceText } from '@tollgate/domain/display/price-text'
import { dollarsOf } from '@tollgate/domain/pricing/format'
import type { Language } from '@tollgate/http/language'
import type { CsvColumn, DecimalCell } from '../../csv.ts'

const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString()

const usdOf = (quota: Quota, quota_per_unit: number): DecimalCell => ({ decimal: dollarsOf(quota, quota_per_unit).toString() })

type LogFile = { readonly quota_per_unit: number; readonly isAdmin: boolean; readonly language: Language }

/** Columns of log entries; a user's file has no channel. */
export function logColumns({ quota_per_unit, isAdmin, language }: LogFile): readonly CsvColumn<Log>[] {
  const forAdmins: readonly CsvColumn<Log>[] = [
    { name: 'user_id', of: (log) => log.user_id },
    { name: 'username', of: (log) => log.username },
    { name: 'channel', of: (log) => log.channel },
    { name: 'channel_name', of: (log) => log.channel_name },
  ]
  return [
    { name: 'time', of: (log) => timeOf(log.created_at) },
    { name: 'id', of: (log) => log.id },
    { name: 'type', of: (log) => log.type },
    ...(isAdmin ? forAdmins : []),
    { name: 'token_name', of: (log) => log.token_name },
    { name: 'group', of: (log) => log.group },
    { name: 'model_name', of: (log) => log.model_name },
    { name: 'quota', of: (log) => log.quota },
    { name: 'usd', of: (log) => usdOf(log.quota, quota_per_unit) },
    { name: 'prompt_tokens', of: (log) => log.prompt_tokens },
    { name: 'completion_tokens', of: (log) => log.completion_tokens },
    { name: 'use_time', of: (log) => log.use_time },
    { name: 'is_stream', of: (log) => String(log.is_stream) },
    { name: 'state', of: (log) => log.state },
    { name: 'request_id', of: (log) => log.request_id },
    { name: 'content', of: ({ type, content }) => (type === LogType.consume ? priceText : accountText)(content, language) },
  ]
}

/** Columns of the audit log. The changed fields are one cell, as JSON. */
export const auditColumns: readonly CsvColumn<AuditRow>[] = [
  { name: 'time', of: (entry) => timeOf(entry.created_at) },
  { name: 'id', of: (entry) => entry.id },
  { name: 'actor_id', of: (entry) => entry.actor_id },
  { name: 'actor_name', of: (entry) => entry.actor_name },
  { name: 'ip', of: (entry) => entry.ip },
  { name: 'action', of: (entry) => entry.action },
  { name: 'resource', of: (entry) => entry.resource },
  { name: 'resource_id', of: (entry) => entry.resource_id },
  { name: 'changes', of: (entry) => JSON.stringify(entry.changes) },
]

/** The same as a line of JSON. */
export function auditLine({ created_at, actor_role: _role, ...entry }: AuditRow): string {
  return `${JSON.stringify({ time: timeOf(created_at), ...entry })}\n`
}

/** Columns of wallet entries; the amounts of a user sum to what was credited. */
export function walletColumns(quota_per_unit: number): readonly CsvColumn<WalletEntryRow>[] {
  return [
    { name: 'time', of: (entry) => timeOf(entry.created_at) },
    { name: 'id', of: (entry) => entry.id },
    { name: 'user_id', of: (entry) => entry.user_id },
    { name: 'username', of: (entry) => entry.username ?? '' },
    { name: 'kind', of: (entry) => entry.kind },
    { name: 'amount', of: (entry) => entry.amount },
    { name: 'usd', of: (entry) => usdOf(entry.amount, quota_per_unit) },
    { name: 'reference', of: (entry) => entry.reference },
    { name: 'note', of: (entry) => entry.note },
    { name: 'actor_id', of: (entry) => entry.actor_id },
  ]
}
