import { sql } from 'kysely'
import type { Db } from '../../connect.ts'
import { logStoreOf, type LogColumn, type LogStore } from '../../log-store.ts'
import { withStatements } from '../../statement-limits.ts'

/** Columns of a table that are an operator's own; secrets are only in `secrets`. */
export type ExportTable = {
  readonly table: string
  readonly columns: readonly string[]
  /** Columns that are exported on demand: sealed texts and hashes of passwords. */
  readonly secrets?: readonly string[]
  readonly order: readonly string[]
}

export const EXPORT_TABLES = {
  users: {
    table: 'users',
    columns: (
      'id username display_name role status email github_id oidc_id wechat_id telegram_id linux_do_id group credited spent request_count ' +
      'aff_code aff_count aff_quota aff_history inviter_id language created_at deleted_at'
    ).split(' '),
    secrets: ['password_hash'],
    order: ['id'],
  },
  organisations: { table: 'organisations', columns: 'id name created_by created_at'.split(' '), order: ['id'] },
  'organisation-members': {
    table: 'organisation_members',
    columns: 'organisation_id user_id role joined_at'.split(' '),
    order: ['organisation_id', 'user_id'],
  },
  projects: { table: 'projects', columns: 'id organisation_id name created_at'.split(' '), order: ['id'] },
  tokens: {
    table: 'tokens',
    columns: (
      'id user_id name key_hash key_head key_tail status created_time accessed_time expired_time granted charged used_quota unlimited_quota ' +
      'model_limits_enabled model_limits allow_ips group cross_group_retry project_id fallback_models telemetry_content receipt_hashes ' +
      'deleted_at'
    ).split(' '),
    secrets: ['key_sealed'],
    order: ['id'],
  },
  channels: {
    table: 'channels',
    columns: (
      'id type name status base_url other models group model_mapping status_code_mapping param_override setting max_input_tokens priority ' +
      'weight auto_ban tag test_model openai_organization created_time'
    ).split(' '),
    secrets: ['key_sealed'],
    order: ['id'],
  },
  options: { table: 'options', columns: 'key value is_sealed updated_at'.split(' '), order: ['key'] },
  codes: {
    table: 'redemptions',
    columns: 'id user_id name status quota created_time redeemed_time used_user_id expired_time deleted_at'.split(' '),
    secrets: ['key_hash', 'key_sealed'],
    order: ['id'],
  },
  orders: {
    table: 'payment_orders',
    columns:
      'id trade_no user_id provider method amount quota currency places money refunded status provider_ref dispute note created_at paid_at'.split(
        ' ',
      ),
    order: ['id'],
  },
  'wallet-entries': {
    table: 'wallet_entries',
    columns: 'id user_id kind amount reference actor_id note created_at'.split(' '),
    order: ['id'],
  },
  budgets: {
    table: 'budgets',
    columns:
      'id scope user_id token_id group_name amount window time_zone start_day starts_at action project_id member_id created_at deleted_at'.split(
        ' ',
      ),
    order: ['id'],
  },
  hours: {
    table: 'usage_hours',
    columns:
      'hour user_id token_id channel_id model_name group token_name type requests quota prompt_tokens completion_tokens input_tokens cached_tokens'.split(
        ' ',
      ),
    order: ['hour'],
  },
  logs: {
    table: 'logs',
    columns: (
      'id created_at type user_id username token_id token_name channel_id model_name group quota prompt_tokens completion_tokens use_time ' +
      'is_stream content state error_code request_id'
    ).split(' '),
    order: ['created_at', 'id'],
  },
} as const satisfies Record<string, ExportTable>
export type ExportKind = keyof typeof EXPORT_TABLES
export const EXPORT_KINDS = Object.keys(EXPORT_TABLES) as readonly ExportKind[] // its keys

export type ExportRow = Readonly<Record<string, unknown>>
export type ReadExport = (kind: ExportKind, wanted: { readonly secrets: boolean }) => AsyncGenerator<readonly ExportRow[]>

const PAGE = 2000

/** Gives reads of whole tables as of one moment; memory holds a page of one. */
export async function readForExport<T>(db: Db, work: (read: ReadExport) => Promise<T>): Promise<T> {
  return await withStatements('long', () =>
    db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (tx) => {
        await sql`set transaction read only`.execute(tx)
        return await work(async function* pages(kind, { secrets }) {
          const table: ExportTable = EXPORT_TABLES[kind]
          const store = logStoreOf(db)
          if (kind === 'logs' && store !== undefined) {
            yield* readStored(store, EXPORT_TABLES.logs.columns)
            return
          }
          const columns = [...table.columns, ...(secrets ? (table.secrets ?? []) : [])]
          await sql`declare export_rows no scroll cursor for
            select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(table.table)}
            order by ${sql.join(table.order.map((column) => sql.ref(column)))}`.execute(tx)
          for (;;) {
            const { rows } = await sql<ExportRow>`fetch ${sql.raw(String(PAGE))} from export_rows`.execute(tx)
            if (rows.length > 0) yield rows
            if (rows.length < PAGE) break
          }
          await sql`close export_rows`.execute(tx)
        })
      }),
  )
}

/** A log store has no snapshots: rows that come meanwhile are newer than all others, and are read too. */
async function* readStored(store: LogStore, columns: readonly string[]): AsyncGenerator<readonly ExportRow[]> {
  let after = { created_at: 0, id: 0 }
  for (;;) {
    const rows = await store.select({ columns: columns as LogColumn[], order: 'oldest', limit: PAGE, after }) // columns of logs
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    after = last
  }
}
