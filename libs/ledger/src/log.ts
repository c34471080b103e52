/** The part of a logger that ledger code writes to. */
export type LedgerLog = Record<'info' | 'warn' | 'error', (fields: LedgerLogFields, message: string) => void>

type LedgerLogFields = {
  readonly shard?: number
  readonly request_id?: string
  readonly reason?: string
  readonly count?: number
  readonly detail?: string
  readonly err?: unknown
}
