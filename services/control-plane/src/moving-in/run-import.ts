import { AppError } from '@tollgate/contracts/app-error'
import { IMPORT_KINDS, type ChannelRecord, type ImportKind, type LogRecord, type UserRecord } from '@tollgate/contracts/moving-in/records'
import type { ImportReport, ImportSum, PriceRow } from '@tollgate/contracts/moving-in/report'
import { HOUR_SECONDS } from '@tollgate/contracts/units'
import { ADVISORY_LOCKS, whileLocked } from '@tollgate/db/queries/installation/advisory-locks'
import { createPartition, logPartition } from '@tollgate/db/queries/logs/partitions'
import {
  findImport,
  isInUse,
  saveImport,
  saveImportCursor,
  saveImportReport,
  skipIds,
  type ImportRow,
} from '@tollgate/db/queries/moving-in/imports'
import { sumCarried } from '@tollgate/db/queries/moving-in/import-use'
import { createSetup, hasRootUser } from '@tollgate/db/queries/installation/setup'
import type { Source } from '@tollgate/moving-in/source'
import type { Deps } from '../deps.ts'
import { keepPrices } from '../resources/setup/service.ts'
import { CarriedIds } from './carried-ids.ts'
import { carry, inTransaction, recordOf, type MergeRule, type Run, type Writer } from './carry.ts'
import { channelWriter } from './channels.ts'
import { Collector } from './collector.ts'
import { carryOrganisations } from './organisations.ts'
import { checkKept, optionWriter, OptionState, readTyped } from './options.ts'
import { codeWriter, orderWriter, subscriptionWriter, taskWriter } from './others.ts'
import { priceSamples } from './parity.ts'
import { writePrices } from './prices.ts'
import { tokenWriter } from './tokens.ts'
import { hourWriter, writeLogs } from './use.ts'
import { carryInvites, Seen, userWriter } from './users.ts'

export type ImportOptions = {
  /** Tells the sources of one installation apart. */
  readonly name: string
  readonly isDryRun: boolean
  readonly merge: MergeRule
  /** Settings of the source that are left out. */
  readonly keep?: readonly string[] | undefined
  /** Absent: all. */
  readonly only?: readonly ImportKind[] | undefined
  /** Log rows of the last days are carried; absent or 0: none, unless an earlier run carried some. */
  readonly logDays?: number | undefined
  readonly onProgress?: (progress: ImportProgress) => void
  readonly signal?: AbortSignal
}
export type ImportProgress = { readonly kind: ImportKind; readonly read: number; readonly total: number }

export type ImportDeps = Pick<Deps, 'db' | 'env' | 'sealers' | 'options' | 'now' | 'version'>

/** Users with their values in batches of this size: a batch is one transaction. */
const BATCH = {
  users: 1000,
  tokens: 2000,
  channels: 100,
  options: 10_000,
  codes: 500,
  orders: 500,
  subscriptions: 500,
  tasks: 200,
  hours: 5000,
  logs: 5000,
} as const

/**
 * Carries a source into this installation, or compares it with what an earlier run carried. It can be stopped at any time and run again:
 * each batch is a transaction that also records what it carried.
 */
export async function runImport(deps: ImportDeps, source: Source, options: ImportOptions): Promise<ImportReport> {
  const started = Math.floor(deps.now() / 1000)
  checkKept(options.keep ?? [])
  const known = await admit(deps, source, options)
  const { isDryRun, name, merge } = options
  const run: Run = {
    deps,
    name,
    isDryRun,
    merge,
    keep: new Set(options.keep),
    ids: new CarriedIds(name, isDryRun),
    found: new Collector(),
    family: source.family,
    quotaPerUnit: source.quotaPerUnit,
    now: started,
  }
  if (isDryRun) return await carryAll(run, source, { options, known })
  const write = async (lost: AbortSignal): Promise<ImportReport> => {
    await saveImport(deps.db, { name, family: source.family, fingerprint: await source.fingerprint(), now: started })
    const signal = AbortSignal.any([lost, ...(options.signal === undefined ? [] : [options.signal])])
    return await carryAll(run, source, { options: { ...options, signal }, known })
  }
  const report = await whileLocked(deps.db, ADVISORY_LOCKS.imports, write, 'batch')
  if (report === 'busy') throw new AppError('import.running')
  return report
}

/** The target is new, or has this source already, or the operator has said what happens to names that clash. */
async function admit({ db }: ImportDeps, source: Source, { name, merge }: ImportOptions): Promise<ImportRow | undefined> {
  const known = await findImport(db, name)
  if (known === undefined) {
    if (merge === 'none' && (await isInUse(db))) throw new AppError('import.in-use')
    return undefined
  }
  const before = new Set(known.fingerprint)
  const same = (await source.fingerprint()).filter((account) => before.has(account)).length
  if (known.family !== source.family || same * 2 < Math.min(before.size, 20)) throw new AppError('import.other-source', { name })
  return known
}

type Work = { readonly options: ImportOptions; readonly known: ImportRow | undefined }

async function carryAll(run: Run, source: Source, { options, known }: Work): Promise<ImportReport> {
  const { deps, found, isDryRun } = run
  for (const item of source.unknown) found.list(item.code.startsWith('left-') ? 'refused' : 'changed', item)
  const isWanted = (kind: ImportKind): boolean => options.only === undefined || options.only.includes(kind)
  const seen = { users: new Seen(isDryRun), tokens: new Seen(isDryRun) }
  const state = new OptionState()
  const stated = await source.statedPrices()
  const logsSince = logsSinceOf(run, options, known)
  const models = new Map<string, string>()
  let prices: PriceRow[] = []
  if (!isDryRun)
    for (const kind of ['users', 'channels', 'tokens', 'codes'] as const) await skipIds(deps.db, kind, await source.maxId(kind))
  const pass = <K extends ImportKind>(writer: Writer<K>, onRecords?: Each<K>): Promise<void> =>
    passOver(run, source, { writer, options, ...(onRecords === undefined ? {} : { onRecords }) })
  if (isWanted('users')) {
    await pass(userWriter(seen.users))
    await passInvites(run, source, options)
    if (!isDryRun) await finishSetup(run)
  }
  if (isWanted('channels'))
    await pass(channelWriter, (records) => {
      for (const record of records) for (const model of record.models) models.set(model, upstreamOf(record, model))
    })
  if (isWanted('options')) {
    await pass(optionWriter(state), (records) => readTyped(state, records))
    const observed = await source.observedPrices()
    for (const item of stated.refused) found.refuse('options', item)
    await inTransaction(run, async (tx) => {
      prices = await writePrices(run, tx, { state, models, observed, stated: stated.prices })
    })
  }
  if (isWanted('tokens')) await pass(tokenWriter(seen.tokens))
  if (isWanted('codes')) await pass(codeWriter)
  if (isWanted('orders')) await pass(orderWriter)
  if (isWanted('subscriptions')) await pass(subscriptionWriter)
  if (isWanted('tasks')) await pass(taskWriter)
  if (isWanted('hours')) await pass(hourWriter(logsSince))
  if (isWanted('logs') && logsSince !== undefined) await passLogs(run, source, { options, known, logsSince })
  const values = state.valuesOver(await deps.options.all())
  const logged = await source.samples(MAX_SAMPLES)
  const samples = priceSamples({ logged, stated, limit: MAX_SAMPLES }, values, run)
  return await finish(run, source, { prices, samples, isWhole: options.only === undefined })
}

/** The name that a channel sends to its vendor. */
function upstreamOf({ model_mapping }: ChannelRecord, model: string): string {
  const mapped = model_mapping === '' ? undefined : recordOf(JSON.parse(model_mapping))[model]
  return typeof mapped === 'string' ? mapped : model
}

const MAX_SAMPLES = 200

type Each<K extends ImportKind> = (records: readonly Parameters<Writer<K>['idOf']>[0][]) => void
type Passing<K extends ImportKind> = { readonly writer: Writer<K>; readonly options: ImportOptions; readonly onRecords?: Each<K> }

async function passOver<K extends ImportKind>(run: Run, source: Source, { writer, options, onRecords }: Passing<K>): Promise<void> {
  const { kind } = writer
  const total = await source.count(kind)
  let read = 0
  for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
    options.signal?.throwIfAborted()
    const batch = await source.read(kind, { after, limit: BATCH[kind] })
    run.found.add(kind, 'read', batch.read)
    run.found.add(kind, 'skipped', batch.skipped)
    for (const item of batch.refused) run.found.refuse(kind, item)
    onRecords?.(batch.records)
    await carry(run, writer, batch.records)
    read += batch.read
    options.onProgress?.({ kind, read, total })
    after = batch.next
  }
}

/** The accounts again: an invite and a membership name two of them. */
async function passInvites(run: Run, source: Source, { signal }: ImportOptions): Promise<void> {
  const eachBatch = async (work: (records: readonly UserRecord[]) => Promise<void>): Promise<void> => {
    for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
      signal?.throwIfAborted()
      const batch = await source.read('users', { after, limit: BATCH.users })
      await work(batch.records)
      after = batch.next
    }
  }
  const isOf = ({ inviter_id, aff_quota, aff_history }: UserRecord): boolean => inviter_id > 0 || aff_quota !== 0 || aff_history !== 0
  if (run.isDryRun) return
  for (const part of ['invites', 'earnings'] as const)
    await eachBatch(async (records) => {
      const some = records.filter(isOf)
      if (some.length > 0) await inTransaction(run, (tx) => carryInvites(run, tx, some, part))
    })
  await eachBatch(async (records) => {
    const some = records.filter(({ organisation }) => organisation !== null)
    if (some.length > 0) await inTransaction(run, (tx) => carryOrganisations(run, tx, some))
  })
}

/** With a root account of the source, the installation is set up. */
async function finishSetup({ deps, now }: Run): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    if ((await hasRootUser(tx)) && (await createSetup(tx, { version: deps.version, initialized_at: now }))) await keepPrices(deps, tx)
  })
}

const SINCE = 'logs-since'
const DAY_SECONDS = 86_400

/** Whole hours, or days where the source sums by day, and the same in every run: what is before is made of the source's sums. */
function logsSinceOf({ now, family }: Run, { logDays = 0 }: ImportOptions, known: ImportRow | undefined): number | undefined {
  const before = known?.cursors[SINCE]
  if (before !== undefined) return Number(before)
  if (logDays <= 0) return undefined
  const since = now - logDays * DAY_SECONDS
  return since - (since % (family === 'litellm' ? DAY_SECONDS : HOUR_SECONDS))
}

async function passLogs(run: Run, source: Source, { options, known, logsSince }: Work & { readonly logsSince: number }): Promise<void> {
  const { found, name, isDryRun, deps } = run
  const total = await source.count('logs')
  const months = new Set<string>()
  let read = 0
  let after = known?.cursors['logs']
  for (;;) {
    options.signal?.throwIfAborted()
    const batch = await source.read('logs', { after, limit: BATCH.logs, since: logsSince })
    if (!isDryRun) await createMonths(deps, batch.records, months)
    await writeLogBatch(run, batch.records, batch.reached, logsSince)
    found.add('logs', 'read', batch.read)
    found.add('logs', 'created', batch.records.length)
    for (const item of batch.refused) found.refuse('logs', item)
    for (const record of batch.records) found.note('logs', record)
    read += batch.read
    options.onProgress?.({ kind: 'logs', read, total })
    after = batch.next
    if (after === undefined) return
  }

  async function writeLogBatch(batchRun: Run, records: readonly LogRecord[], cursor: string | undefined, since: number): Promise<void> {
    if (cursor === undefined) return
    await inTransaction(batchRun, async (tx) => {
      await writeLogs(batchRun, tx, records)
      await saveImportCursor(tx, { name, kind: 'logs', cursor })
      await saveImportCursor(tx, { name, kind: SINCE, cursor: String(since) })
    })
  }
}

/** Partitions of months that are over; without the right to create tables the rows go to the default partition. */
async function createMonths({ db }: Pick<Deps, 'db'>, records: readonly LogRecord[], months: Set<string>): Promise<void> {
  for (const { created_at } of records) {
    const partition = logPartition(new Date(created_at * 1000))
    if (months.has(partition.name)) continue
    months.add(partition.name)
    await db
      .transaction()
      .execute((tx) => createPartition(tx, partition))
      .catch((error: unknown) => {
        if (!(error instanceof Error && 'code' in error && error.code === '42501')) throw error
      })
  }
}

type Ending = Pick<ImportReport, 'prices' | 'samples'> & { readonly isWhole: boolean }

async function finish(run: Run, source: Source, { prices, samples, isWhole }: Ending): Promise<ImportReport> {
  const { deps, found, name, isDryRun } = run
  const sums = isDryRun || !isWhole ? [] : await compareSums(run, source)
  const counts = Object.fromEntries(IMPORT_KINDS.map((kind) => [kind, { ...found.counts.get(kind) }])) as ImportReport['counts'] // every kind has its counts
  const refused = [...found.counts.values()].reduce((sum, count) => sum + count.refused, 0)
  const report: ImportReport = {
    format: 'tollgate-import',
    version: 1,
    name,
    family: source.family,
    generation: source.generation,
    store: source.store,
    is_dry_run: isDryRun,
    started_at: run.now,
    finished_at: Math.floor(deps.now() / 1000),
    counts,
    quota_per_unit: run.quotaPerUnit,
    sums,
    samples,
    prices,
    ...found.lists,
    more: found.more,
    is_complete: refused === 0 && found.lists.refused.length === 0 && sums.every(({ source: there, target }) => there === target),
  }
  if (!isDryRun) await saveImportReport(deps.db, { name, report })
  return report
}

async function compareSums(run: Run, source: Source): Promise<ImportSum[]> {
  const there = await source.sums()
  const here = await sumCarried(run.deps.db, run.name)
  const names = ['users_quota', 'users_used', 'channels_used'] as const
  return names.map((name) => ({ name, source: Number(there[name]), target: Number(here[name]) }))
}
