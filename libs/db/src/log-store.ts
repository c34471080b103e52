import { AppError } from '@tollgate/contracts/app-error'
import type { Quote, Usage } from '@tollgate/contracts/pricing/quote'
import type { StoredExplanation } from '@tollgate/contracts/relay/usage-event'
import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import type { Selectable } from 'kysely'
import type { Db, Tx } from './connect.ts'
import type { Database } from './schema.ts'

/** Absent and empty fields do not filter. */
export type LogFilter = {
  readonly user_id?: number
  /** One of several users, instead of `user_id`. */
  readonly user_ids?: readonly number[]
  readonly type?: number
  /** Inclusive. */
  readonly from?: UnixSeconds
  /** Inclusive. */
  readonly to?: UnixSeconds
  readonly token_name?: string
  /** One of several names, instead of `token_name`. */
  readonly token_names?: readonly string[]
  /** Exact names; an empty list matches nothing. */
  readonly models?: readonly string[]
  readonly channel_id?: number
  readonly group?: string
  readonly token_id?: number
  /** Fields that only the rows have; no sums are kept for them. */
  readonly request_id?: string
  readonly state?: string
  readonly error_code?: string
  readonly session?: string
  /** Requests that took at least so long. */
  readonly min_seconds?: number
}

/** A row that is to be written. */
export type NewLogRow = {
  readonly created_at: UnixSeconds
  readonly type: number
  readonly user_id: number
  readonly username: string
  readonly token_id: number
  readonly token_name: string
  readonly channel_id: number
  readonly model_name: string
  readonly group: string
  readonly quota: Quota
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly use_time: number
  readonly is_stream: boolean
  readonly content: string
  readonly other: string
  readonly request_id: string
  readonly state: string
  readonly usage: Usage | null
  readonly quote: Quote | null
  readonly explanation: StoredExplanation | null
  /** Absent: empty. */
  readonly error_code?: string
  readonly session?: string
  /** The packed usage event, for rows of Postgres: then `other` is empty and the three before are null. */
  readonly event?: Buffer | null
}

/** A row's place in the order of time. */
export type LogCursor = { readonly created_at: UnixSeconds; readonly id: number }

/** The length of a step, and how far its start is from a multiple of that. Steps of an hour and more begin at whole hours. */
export type Steps = { readonly seconds: number; readonly shift: number }

/** Rows of one type in a time of `Steps.seconds`. */
export type CountedStep = { readonly at: UnixSeconds; readonly type: number; readonly rows: number }

type Logs = Selectable<Database['logs']>
type Facts = 'usage' | 'quote' | 'explanation'
export type LogColumn = Exclude<keyof Logs, 'event'>

/** A row of a store beside Postgres: what explains a charge is JSON text, empty where there is none. */
export type StoredLog = Omit<Logs, Facts | 'event'> & { readonly [Fact in Facts]: string }

/** Absent fields do not filter. */
export type LogCondition = {
  readonly filter?: LogFilter
  /** Only older rows, or only newer ones, in the order of time. */
  readonly before?: LogCursor
  readonly after?: LogCursor
  /** Exclusive. */
  readonly until?: UnixSeconds
  /** Rows of these hours, which are named by their starts. */
  readonly hours?: readonly UnixSeconds[]
  readonly ids?: readonly number[]
  readonly request_ids?: readonly string[]
  readonly types?: readonly number[]
  readonly states?: readonly string[]
  readonly notStates?: readonly string[]
  /** Texts that must not be empty. */
  readonly has?: readonly ('usage' | 'quote' | 'explanation' | 'request_id' | 'state')[]
  /** This type, or a content that starts with this text. */
  readonly keyword?: { readonly type: number; readonly start?: string }
  /** Rows of a token. */
  readonly hasToken?: true
  /** Rows whose id modulo `one_in` is `offset`. */
  readonly sample?: { readonly one_in: number; readonly offset: number }
}

export type LogSelection<Column extends LogColumn> = LogCondition & {
  readonly columns: readonly Column[]
  /** In the order of time and id. */
  readonly order: 'newest' | 'oldest'
  readonly limit: number
  readonly offset?: number
}

/** Sums of rows; tokens are those of prompts and answers. */
export type LogSums = { readonly rows: number; readonly quota: Quota; readonly tokens: number }

/** Findings of a check of the ledger: their number, and the first ten with the two values that contradict each other. */
export type Contradictions = {
  readonly total: number
  readonly first: readonly { readonly id: string; readonly left: string; readonly right: string }[]
}

/** Columns of a count by hour. */
export type LogGroup = 'hour' | 'month' | 'user_id'
export type GroupedLogs = LogSums & { readonly hour: UnixSeconds; readonly month: string; readonly user_id: number }

/** The number of a batch, and a digest of its rows. */
export type NamedBatch = { readonly batch: number; readonly digest: string }
/** The same with the months of its rows, each as the unix seconds of its beginning. */
export type NotedBatch = NamedBatch & { readonly months: readonly UnixSeconds[] }

/**
 * A store of log rows beside Postgres. Every method fails with `logs.store-away` when it does not answer. Rows are in it a moment after the
 * transaction that wrote them (ADR 141).
 */
export type LogStore = {
  /** Adds rows, one JSON object per line as `toStoredLines` writes them. The same token again adds nothing. `batch`: the number of theirs. */
  insert(lines: string, token: string, batch?: number): Promise<void>
  /** Notes that a batch is about to be inserted. */
  noteBatch(batch: NotedBatch): Promise<void>
  /** The batches that were noted with this number or a greater one. */
  listBatches(from: number): Promise<NamedBatch[]>
  /** Deletes the rows of the batches from one number to another, both included, and refuses those that are still on their way. */
  removeBatches(from: number, to: number): Promise<void>
  select<Column extends LogColumn>(selection: LogSelection<Column>): Promise<Pick<StoredLog, Column>[]>
  count(condition: LogCondition): Promise<number>
  sum(condition: LogCondition): Promise<LogSums>
  countSteps(condition: LogCondition, steps: Steps): Promise<CountedStep[]>
  /** Sums by these columns; the others of a row are 0 or empty. */
  sumBy(condition: LogCondition, groups: readonly LogGroup[]): Promise<GroupedLogs[]>
  /** Requests with more than one first terminal state (left) or more than one correction (right), among those whose hash falls in the part. */
  findRepeatedStates(part: { readonly one_in: number; readonly offset: number }): Promise<Contradictions>
  /** Rows of requests whose state does not fit their type (left), or without the usage or quote that their quota (right) follows from. */
  findUnfitRows(condition: LogCondition): Promise<Contradictions>
  /** Deletes the rows before a time. */
  removeBefore(until: UnixSeconds): Promise<void>
  /** Fails when the store does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** The key is the part of a connection that its transactions share. */
const stores = new WeakMap<object, LogStore>()

/** From now on the queries of this connection, and of its transactions, read log rows from this store, and write them for it. */
export function keepLogsIn(db: Db, store: LogStore): void {
  stores.set(db.getExecutor().adapter, store)
}

/** The store of log rows beside Postgres; undefined: they are in Postgres. */
export const logStoreOf = (db: Db | Tx): LogStore | undefined => stores.get(db.getExecutor().adapter)

/** Fails with `logs.store-lacks` if log rows are not in Postgres. */
export function requireLogsInPostgres(db: Db | Tx): void {
  if (logStoreOf(db) !== undefined) throw new AppError('logs.store-lacks')
}
