import type { ImportItem } from '@tollgate/contracts/moving-in/report'
import type { ImportKind, RecordOf } from '@tollgate/contracts/moving-in/records'
import { DEFAULT_QUOTA_PER_UNIT } from '@tollgate/contracts/units'
import { Cells } from '../cells/cells.ts'
import type { Batch, ReadOptions, Source, Made } from '../source.ts'
import { DamagedSource } from '../stores/damaged-source.ts'
import type { Row, Store } from '../stores/store.ts'
import { toToken, toUser } from './accounts.ts'
import { toChannel } from './channels.ts'
import type { Family } from './family.ts'
import { toCode, toDrawing, toHour, toLog, toOption, toOrder, toSubscription, toTask } from './history.ts'
import { readNewest, type Newest } from './observed-prices.ts'
import { statedPricesOf } from './stated-prices.ts'
import { IGNORED_TABLES, KNOWN_TABLES, LEFT_TABLES, NEEDED_TABLES } from './tables.ts'

type Tables = ReadonlyMap<string, readonly string[]>

/** True if these are the tables of one-api or of a program that grew from it. */
export const isGateway = (tables: Tables): boolean => NEEDED_TABLES.every((table) => tables.has(table))

/** The tables of each kind; drawings and other tasks are two. */
const TABLES: Readonly<Record<ImportKind, readonly string[]>> = {
  options: ['options'],
  users: ['users'],
  channels: ['channels'],
  tokens: ['tokens'],
  codes: ['redemptions'],
  orders: ['top_ups'],
  subscriptions: ['user_subscriptions'],
  tasks: ['midjourneys', 'tasks'],
  hours: ['quota_data'],
  logs: ['logs'],
}

export async function openGateway(store: Store): Promise<Source> {
  const tables = await store.tables()
  requireColumns(tables)
  if (store.kind === 'sqlite') await requireIds(store, tables)
  const { family, generation } = generationOf(tables)
  const options = await readOptions(store)
  const facts = { totp: await readTotp(store, tables), plans: await readPlans(store, tables) }
  const quotaPerUnit = Number(options.get('QuotaPerUnit') ?? DEFAULT_QUOTA_PER_UNIT)
  const makers: { readonly [K in ImportKind]: (cells: Cells, table: string) => Made<RecordOf[K]> } = {
    options: toOption,
    users: (cells) => toUser(cells, family, facts),
    channels: (cells) => toChannel(cells, family),
    tokens: toToken,
    codes: toCode,
    orders: toOrder,
    subscriptions: (cells) => toSubscription(cells, facts.plans),
    tasks: (cells, table) => (table === 'midjourneys' ? toDrawing(cells) : toTask(cells)),
    hours: toHour,
    logs: (cells) => toLog(cells, family),
  }
  const newest = async (limit: number): Promise<Newest> =>
    tables.has('logs') ? await readNewest(store, tables, { family, limit }) : { prices: [], samples: [] }
  return {
    family,
    generation,
    store: store.kind,
    unknown: [...unknownParts(tables), ...(await leftTables(store, tables))],
    quotaPerUnit: Number.isFinite(quotaPerUnit) && quotaPerUnit > 0 ? quotaPerUnit : DEFAULT_QUOTA_PER_UNIT,
    fingerprint: async () => {
      const rows = await store.page({ table: 'users', key: 'id', limit: 20, columns: ['id', 'username', 'aff_code'] })
      return rows.map((row) => new Cells(row)).map((cells) => `${cells.int('id')} ${cells.text('username')} ${cells.text('aff_code')}`)
    },
    maxId: async (kind) => {
      const [table] = TABLES[kind]
      return table === undefined || kind === 'options' || !tables.has(table) ? 0 : await store.max(table, 'id')
    },
    count: async (kind) => {
      let count = 0
      for (const table of TABLES[kind]) if (tables.has(table)) count += await store.count(table)
      return count
    },
    read: async (kind, wanted) => await readKind(store, tables, { kind, make: makers[kind], wanted }),
    statedPrices: async () => statedPricesOf(options),
    observedPrices: async () => (await newest(0)).prices,
    samples: async (limit) => (await newest(limit)).samples,
    sums: async () => ({
      users_quota: await store.sum('users', 'quota'),
      users_used: await store.sum('users', 'used_quota'),
      channels_used: tables.get('channels')?.includes('used_quota') === true ? await store.sum('channels', 'used_quota') : 0n,
    }),
    close: () => store.close(),
  }
}

/** Columns that queries name, beside the key of each table. */
const NEEDED_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  users: ['username', 'aff_code', 'quota', 'used_quota'],
  logs: ['type', 'created_at'],
  quota_data: ['created_at'],
}

function requireColumns(tables: Tables): void {
  for (const table of [...Object.values(TABLES).flat(), 'two_fas', 'subscription_plans']) {
    const columns = tables.get(table)
    const needed = [table === 'options' ? 'key' : 'id', ...(NEEDED_COLUMNS[table] ?? [])]
    const missing = columns === undefined ? undefined : needed.find((column) => !columns.includes(column))
    if (missing !== undefined) throw new DamagedSource(`${table} has no column ${missing}`)
  }
}

/** Rows are read and kept by their ids, so that each must be held exactly. A column of SQLite holds values of any type. */
async function requireIds(store: Store, tables: Tables): Promise<void> {
  for (const table of Object.values(TABLES).flat()) {
    if (table === 'options' || !tables.has(table)) continue
    if (!Number.isSafeInteger(await store.max(table, 'id'))) throw new DamagedSource(`${table} has ids that are no numbers up to 2^53`)
  }
}

/** A position names its table, because a kind can have several. */
const positionOf = (table: string, key: string): string => `${table}:${key}`

type Reading<K extends ImportKind> = {
  readonly kind: K
  readonly make: (cells: Cells, table: string) => Made<RecordOf[K]>
  readonly wanted: ReadOptions
}

async function readKind<K extends ImportKind>(store: Store, tables: Tables, { kind, make, wanted }: Reading<K>): Promise<Batch<K>> {
  const present = TABLES[kind].filter((table) => tables.has(table))
  const [at = present[0], key] = wanted.after === undefined ? [] : splitPosition(wanted.after)
  if (at === undefined) return { records: [], refused: [], skipped: 0, read: 0, next: undefined, reached: undefined }
  const keyColumn = kind === 'options' ? 'key' : 'id'
  const columns = columnsToRead(tables, at)
  const after = key === undefined || key === '' ? undefined : kind === 'options' ? key : Number(key)
  const isTimed = wanted.since !== undefined && (kind === 'logs' || kind === 'hours')
  const rows = await store.page({
    table: at,
    columns,
    key: keyColumn,
    after,
    limit: wanted.limit,
    ...(isTimed ? { atLeast: { column: 'created_at', value: wanted.since ?? 0 } } : {}),
  })
  const records: RecordOf[K][] = []
  const refused: ImportItem[] = []
  let skipped = 0
  for (const row of rows) {
    const made = make(new Cells(row), at)
    if ('record' in made) records.push(made.record)
    else if ('refused' in made)
      refused.push({ kind, at: `${at} ${new Cells(row).text(keyColumn)}`, code: made.refused.split(' ')[0] ?? '', detail: made.refused })
    else skipped += 1
  }
  const last = rows.at(-1)
  return {
    records,
    refused,
    skipped,
    read: rows.length,
    next: nextPosition(present, at, { rows, keyColumn, limit: wanted.limit }),
    reached: last === undefined ? undefined : positionOf(at, new Cells(last).text(keyColumn)),
  }
}

type Page = { readonly rows: readonly Row[]; readonly keyColumn: string; readonly limit: number }

function nextPosition(present: readonly string[], at: string, { rows, keyColumn, limit }: Page): string | undefined {
  const last = rows.at(-1)
  if (last !== undefined && rows.length === limit) {
    const cells = new Cells(last)
    return positionOf(at, keyColumn === 'id' ? String(idOf(cells, at)) : cells.text(keyColumn))
  }
  const following = present[present.indexOf(at) + 1]
  return following === undefined ? undefined : positionOf(following, '')
}

/** The id that the next page begins after; it may be beyond what is held exactly. */
function idOf(cells: Cells | undefined, table: string): number {
  const id = cells?.number('id', Number.NaN) ?? Number.NaN
  if (Number.isNaN(id)) throw new DamagedSource(`a row of ${table} has no number as its id`)
  return id
}

function splitPosition(position: string): [string, string] {
  const at = position.indexOf(':')
  return [position.slice(0, at), position.slice(at + 1)]
}

const columnsToRead = (tables: Tables, table: string): string[] =>
  (tables.get(table) ?? []).filter((column) => {
    const known = KNOWN_TABLES[table]
    return known?.read.includes(column) === true || ['discord_id', 'lark_id'].includes(column)
  })

/** one-api has the columns `models` and `subnet` of tokens; new-api of 2026 the keys of a channel in `channel_info`. */
function generationOf(tables: Tables): { family: Family; generation: string } {
  const has = (table: string, column: string): boolean => tables.get(table)?.includes(column) === true
  const isNewApi = has('tokens', 'model_limits_enabled') || has('channels', 'auto_ban') || has('users', 'aff_quota')
  if (!isNewApi) return { family: 'one-api', generation: has('logs', 'elapsed_time') ? '0.6.10 or later' : 'before 0.6.10' }
  return { family: 'new-api', generation: has('channels', 'channel_info') ? '2026' : has('users', 'setting') ? '2025' : 'before 2025' }
}

function unknownParts(tables: Tables): ImportItem[] {
  const items: ImportItem[] = []
  for (const [table, columns] of tables) {
    const known = KNOWN_TABLES[table]
    if (known === undefined) {
      if (!IGNORED_TABLES.has(table) && LEFT_TABLES[table] === undefined)
        items.push({ kind: 'schema', at: table, code: 'unknown-table', detail: '' })
      continue
    }
    for (const column of columns) {
      if (!known.read.includes(column) && known.ignored?.includes(column) !== true)
        items.push({ kind: 'schema', at: `${table}.${column}`, code: 'unknown-column', detail: '' })
    }
  }
  return items
}

/** Tables with rows that have no place here. */
async function leftTables(store: Store, tables: Tables): Promise<ImportItem[]> {
  const items: ImportItem[] = []
  for (const [table, code] of Object.entries(LEFT_TABLES)) {
    if (!tables.has(table)) continue
    const count = await store.count(table)
    if (count > 0) items.push({ kind: 'schema', at: table, code: `left-${code}`, detail: String(count) })
  }
  return items
}

async function readOptions(store: Store): Promise<ReadonlyMap<string, string>> {
  const rows = await store.page({ table: 'options', key: 'key', limit: 10_000 })
  return new Map(rows.map((row) => new Cells(row)).map((cells) => [cells.text('key'), cells.text('value')]))
}

const PAGE = 5000

async function readAll(store: Store, table: string): Promise<Cells[]> {
  const found: Cells[] = []
  for (let after: number | undefined; ;) {
    const rows = await store.page({ table, key: 'id', after, limit: PAGE })
    found.push(...rows.map((row) => new Cells(row)))
    if (rows.length < PAGE) return found
    after = idOf(found.at(-1), table)
  }
}

async function readTotp(store: Store, tables: Tables): Promise<ReadonlyMap<number, string>> {
  if (!tables.has('two_fas')) return new Map()
  const rows = await readAll(store, 'two_fas')
  const on = rows.filter((cells) => cells.flag('is_enabled') && !cells.isSet('deleted_at'))
  return new Map(on.map((cells) => [cells.int('user_id'), cells.text('secret').trim()]))
}

async function readPlans(store: Store, tables: Tables): Promise<ReadonlyMap<number, string>> {
  if (!tables.has('subscription_plans')) return new Map()
  return new Map((await readAll(store, 'subscription_plans')).map((cells) => [cells.int('id'), cells.text('title')]))
}
