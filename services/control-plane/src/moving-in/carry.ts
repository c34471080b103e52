import { createHash } from 'node:crypto'
import { AppError, isStoreUnavailable } from '@tollgate/contracts/app-error'
import type { ImportKind, Origin, RecordNote, RecordOf } from '@tollgate/contracts/moving-in/records'
import type { Tx } from '@tollgate/db/connect'
import { listCarried, saveCarried, saveImportCursor, type CarriedRow } from '@tollgate/db/queries/moving-in/imports'
import type { Deps } from '../deps.ts'
import type { CarriedIds } from './carried-ids.ts'
import type { Collector, Listed } from './collector.ts'
import { findingsIn, lastingIn, listAgain, placesOf, rowNames, withFindings } from './findings.ts'

export type MergeRule = 'none' | 'rename' | 'join'

export type Run = {
  readonly deps: Pick<Deps, 'db' | 'env' | 'sealers' | 'options' | 'now' | 'version'>
  readonly name: string
  readonly isDryRun: boolean
  readonly merge: MergeRule
  /** Settings of the source that are left out. */
  readonly keep: ReadonlySet<string>
  readonly ids: CarriedIds
  readonly found: Collector
  readonly family: 'new-api' | 'one-api' | 'litellm'
  readonly quotaPerUnit: number
  /** Unix seconds at which the run began. */
  readonly now: number
}

/** The row that a record became; undefined: it was refused, and listed. */
export type Made = { readonly target_id: number; readonly state?: Readonly<Record<string, unknown>> }

type AnyRecord = { readonly origin: Origin; readonly notes: readonly RecordNote[] }

export type Writer<K extends ImportKind> = {
  readonly kind: K
  /** Rows of an earlier run that was made in another way are written again; absent: there is one way. */
  readonly variant?: string
  /** Unique among the records of the kind. */
  readonly idOf: (record: RecordOf[K]) => string
  /** Writes new rows, in the order of the records. */
  readonly create: (run: Run, tx: Tx, records: readonly RecordOf[K][]) => Promise<readonly (Made | undefined)[]>
  /** Writes what changed in the source since an earlier run. */
  readonly update: (run: Run, tx: Tx, record: RecordOf[K], before: CarriedRow) => Promise<Made | undefined>
}

class RolledBack extends Error {}

/** Does the work in one transaction, and undoes it in a dry run. */
export async function inTransaction(run: Run, work: (tx: Tx) => Promise<void>): Promise<void> {
  try {
    await run.deps.db.transaction().execute(async (tx) => {
      await work(tx)
      if (run.isDryRun) throw new RolledBack()
    })
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error
  }
}

/**
 * Writes a batch in one transaction. A record that the database refuses would stop its batch: the batch is halved until that record is
 * alone, and it is listed.
 */
export async function carry<K extends ImportKind>(
  run: Run,
  writer: Writer<K>,
  records: readonly RecordOf[K][],
  cursor?: string,
): Promise<void> {
  if (records.length === 0 && cursor === undefined) return
  const restore = run.found.mark()
  try {
    await inTransaction(run, async (tx) => {
      await write(run, tx, writer, records)
      if (cursor !== undefined && !run.isDryRun) await saveImportCursor(tx, { name: run.name, kind: writer.kind, cursor })
    })
  } catch (error) {
    restore()
    if (isOfStore(error)) throw error
    const [only] = records
    if (only === undefined) throw error
    if (records.length === 1) return refuse(run, writer.kind, only, error)
    const half = Math.ceil(records.length / 2)
    await carry(run, writer, records.slice(0, half))
    await carry(run, writer, records.slice(half))
    if (cursor !== undefined) await carry(run, writer, [], cursor)
  }
}

/** The database is away, or the run is stopped: no record is to blame. */
const isOfStore = (error: unknown): boolean => isStoreUnavailable(error) || (error instanceof DOMException && error.name === 'AbortError')

function refuse(run: Run, kind: ImportKind, record: AnyRecord, error: unknown): void {
  const at = `${record.origin.table} ${record.origin.id}`
  const detail = error instanceof AppError ? error.code : error instanceof Error ? error.message.slice(0, 200) : 'error'
  run.found.refuse(kind, { kind, at, code: 'not-stored', detail })
}

async function write<K extends ImportKind>(run: Run, tx: Tx, writer: Writer<K>, records: readonly RecordOf[K][]): Promise<void> {
  const { kind, variant } = writer
  const known = new Map((await listCarried(tx, { name: run.name, kind, ids: records.map(writer.idOf) })).map((row) => [row.source_id, row]))
  const fresh = records.filter((record) => !known.has(writer.idOf(record)))
  run.found.nameRows(rowNames(kind, records))
  const creation = await run.found.during(() => writer.create(run, tx, fresh))
  const made = creation.result
  const listed = Map.groupBy(creation.listed, ({ item }) => item.at)
  const rows: CarriedRow[] = []
  const keep = (record: RecordOf[K], result: Made | undefined, findings: readonly Listed[]): void => {
    if (result === undefined) return
    run.found.note(kind, record)
    rows.push({
      source_id: writer.idOf(record),
      target_id: result.target_id,
      digest: recordDigest(record, variant),
      state: withFindings(result.state ?? {}, findings),
    })
  }
  for (const [index, record] of fresh.entries()) {
    if (made[index] !== undefined) run.found.add(kind, 'created')
    keep(
      record,
      made[index],
      placesOf(kind, record).flatMap((at) => listed.get(at) ?? []),
    )
  }
  for (const record of records) {
    const before = known.get(writer.idOf(record))
    if (before === undefined) continue
    if (before.digest === recordDigest(record, variant)) {
      run.found.note(kind, record)
      listAgain(run.found, findingsIn(before))
      run.found.add(kind, 'same')
      continue
    }
    const { result: updated, listed: findings } = await run.found.during(() => writer.update(run, tx, record, before))
    if (updated !== undefined) run.found.add(kind, 'updated')
    const lasting = updated === undefined ? [] : lastingIn(before)
    listAgain(run.found, lasting)
    keep(record, updated, [...lasting, ...findings])
  }
  run.ids.remember(
    kind,
    rows.map(({ source_id, target_id }) => [Number(source_id), target_id] as const),
  )
  await saveCarried(tx, { name: run.name, kind, rows })
}

/** Equal for records that would be written alike. */
function recordDigest(record: AnyRecord, variant: string | undefined): string {
  const { notes: _, ...written } = record
  return digestOf(variant === undefined ? written : [written, variant])
}

export const digestOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('base64url')
    .slice(0, 22)

/** The digest of a field: a row has many, so it is short. */
const shortDigest = (value: unknown): string => digestOf(value).slice(0, 8)

/** Digests of fields, by which a later run knows what the source changed and what was changed here. */
export const fieldDigests = (fields: object): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, shortDigest(value)]))

/** The fields that the source has changed since they were carried. */
export function changedIn<T extends object>(fields: T, { state }: CarriedRow): Partial<T> {
  const before = recordOf(state['fields'])
  // The entries of `fields` keep their types.
  return Object.fromEntries(Object.entries(fields).filter(([field, value]) => before[field] !== shortDigest(value))) as Partial<T>
}

export const recordOf = (value: unknown): Record<string, unknown> => (typeof value === 'object' && value !== null ? { ...value } : {})

export function amountIn({ state }: CarriedRow, field: string): number {
  const value = state[field]
  return typeof value === 'number' ? value : 0
}
