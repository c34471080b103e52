import type { ImportItem } from '@tollgate/contracts/moving-in/report'
import type { ImportKind, LogRecord, ObservedPrice, RecordOf, StatedPrice } from '@tollgate/contracts/moving-in/records'

/** A record, or why the row makes none; `skipped`: it is left out on purpose. */
export type Made<T> = { readonly record: T } | { readonly refused: string } | { readonly skipped: true }

/** Records of one page of rows, and the rows that make none. */
export type Batch<K extends ImportKind> = {
  readonly records: readonly RecordOf[K][]
  readonly refused: readonly ImportItem[]
  /** Rows that are left out on purpose. */
  readonly skipped: number
  /** Rows that were read. */
  readonly read: number
  /** Where the next page begins; undefined after the last one. */
  readonly next: string | undefined
  /** The place of its last row, after which a later run goes on; undefined: it has none. */
  readonly reached: string | undefined
}

export type ReadOptions = {
  readonly after?: string | undefined
  readonly limit: number
  /** Only rows of this time or later, in unix seconds; of kinds that have one. */
  readonly since?: number
}

/** The tokens of a request; `prompt` includes those that were read from a cache or written to one. */
export type RequestTokens = { readonly prompt: number; readonly cached: number; readonly written: number; readonly completion: number }

export type StatedPrices = {
  readonly prices: readonly StatedPrice[]
  /** Prices that are written in a way that has no counterpart here. */
  readonly refused: readonly ImportItem[]
  /** The price of a request by its documented formula, in dollars; undefined: the source states no price of the model. */
  readonly dollarsOf: (model: string, tokens: RequestTokens) => number | undefined
}

export const NO_STATED_PRICES: StatedPrices = { prices: [], refused: [], dollarsOf: () => undefined }

export type SourceSums = { readonly users_quota: bigint; readonly users_used: bigint; readonly channels_used: bigint }

/** A database of another gateway, as records. */
export type Source = {
  readonly family: 'new-api' | 'one-api' | 'litellm'
  readonly generation: string
  readonly store: 'sqlite' | 'postgres' | 'mysql' | 'yaml'
  /** Tables, columns and settings that have no place here. */
  readonly unknown: readonly ImportItem[]
  readonly quotaPerUnit: number
  /** Tells one installation from another, also after it was moved: a text for each of its oldest accounts. */
  fingerprint(): Promise<readonly string[]>
  /** The largest id of a kind; 0: it has no numbers of its own. */
  maxId(kind: ImportKind): Promise<number>
  count(kind: ImportKind): Promise<number>
  read<K extends ImportKind>(kind: K, options: ReadOptions): Promise<Batch<K>>
  /** Prices that its operator stated in dollars; they come before ratios. */
  statedPrices(): Promise<StatedPrices>
  /** The prices that the newest requests were charged at. */
  observedPrices(): Promise<readonly ObservedPrice[]>
  /** Sums over all rows, to compare with what was carried. */
  sums(): Promise<SourceSums>
  /** Charged requests, the newest of each model. */
  samples(limit: number): Promise<readonly LogRecord[]>
  close(): Promise<void>
}
