import type { ImportItem } from '@tollgate/contracts/moving-in/report'
import type { ImportKind, LogRecord, RecordOf } from '@tollgate/contracts/moving-in/records'
import { DEFAULT_QUOTA_PER_UNIT } from '@tollgate/contracts/units'
import { z } from 'zod'
import { Cells } from '../cells/cells.ts'
import { inTurns } from '../cells/in-turns.ts'
import { NO_STATED_PRICES, type Batch, type Made, type ReadOptions, type Source } from '../source.ts'
import type { Store } from '../stores/store.ts'
import { ownerless, TEAMS, toKey, toTeam, toUser, USERS, type Facts } from './accounts.ts'
import { LOGS, TEAM_DAYS, toDay, toLog, toSample, USER_DAYS } from './use.ts'
import { dayText, textArray, timeText } from './values.ts'

type Tables = ReadonlyMap<string, readonly string[]>

const KEYS = 'LiteLLM_VerificationToken'
const DELETED_KEYS = 'LiteLLM_DeletedVerificationToken'
const BUDGETS = 'LiteLLM_BudgetTable'
/** Tables whose rows are carried, follow from others, or are sums of the log. */
const QUIET = new Set([
  USERS,
  TEAMS,
  KEYS,
  BUDGETS,
  'LiteLLM_CronJob',
  'LiteLLM_HealthCheckTable',
  'LiteLLM_TeamMembership',
  LOGS,
  USER_DAYS,
  TEAM_DAYS,
  '_prisma_migrations',
])

export const isLiteLlm = (tables: ReadonlyMap<string, readonly string[]>): boolean =>
  [USERS, TEAMS, KEYS].every((table) => tables.has(table))

type Part<K extends ImportKind> = {
  readonly table: string
  readonly key: string
  /** Rows of equal keys are in the order of this column. */
  readonly tie?: string
  /** The column with the time of a row. */
  readonly time?: { readonly column: string; readonly textOf: (seconds: number) => string }
  readonly make: (cells: Cells) => Made<RecordOf[K]> | Promise<Made<RecordOf[K]>>
}
type Parts = { readonly [K in ImportKind]?: readonly Part<K>[] }

function partsOf(tables: Tables, facts: Facts, isTeamKey: (hash: string) => Promise<boolean>): Parts {
  const present = <K extends ImportKind>(parts: readonly Part<K>[]): Part<K>[] => parts.filter(({ table }) => tables.has(table))
  const day = { column: 'date', textOf: dayText }
  // The time at which a row was stored: a long request is stored after shorter ones that began later.
  const key = tables.get(LOGS)?.includes('created_at') === true ? 'created_at' : 'startTime'
  return {
    users: [
      { table: USERS, key: 'user_id', make: (cells) => ({ record: toUser(cells, facts) }) },
      { table: TEAMS, key: 'team_id', make: (cells) => ({ record: toTeam(cells, facts) }) },
    ],
    tokens: [{ table: KEYS, key: 'token', make: (cells) => toKey(cells, facts) }],
    hours: present([
      {
        table: USER_DAYS,
        key: 'id',
        time: day,
        // The days of a team's keys are those of the team.
        make: async (cells) => ((await isTeamKey(cells.text('api_key'))) ? { skipped: true } : toDay(cells, USER_DAYS)),
      },
      {
        table: TEAM_DAYS,
        key: 'id',
        time: day,
        make: (cells) => (cells.text('team_id') === '' ? { skipped: true } : toDay(cells, TEAM_DAYS)),
      },
    ]),
    logs: present([{ table: LOGS, key, tie: 'request_id', time: { column: 'startTime', textOf: timeText }, make: toLog }]),
  }
}

/** The Postgres database of a LiteLLM proxy: users, teams, keys and what they used. Its models are in the configuration. */
export async function openLiteLlm(store: Store, { now, unlimitedAs }: Pick<Facts, 'now' | 'unlimitedAs'>): Promise<Source> {
  const tables = await store.tables()
  const facts: Facts = {
    budgets: new Map((await readAll(store, tables, BUDGETS, 'budget_id')).map((cells) => [cells.text('budget_id'), cells])),
    teams: new Map((await readAll(store, tables, TEAMS, 'team_id')).map((cells) => [cells.text('team_id'), textArray(cells, 'models')])),
    now,
    unlimitedAs,
  }
  let teamKeys: Promise<ReadonlySet<string>> | undefined
  const isTeamKey = async (hash: string): Promise<boolean> => (await (teamKeys ??= readTeamKeys(store, tables))).has(hash)
  const parts = partsOf(tables, facts, isTeamKey)
  const read = async <K extends ImportKind>(kind: K, wanted: ReadOptions): Promise<Batch<K>> => {
    const batch = await readPart(store, { kind, parts: parts[kind] ?? [], wanted })
    if (kind !== 'users' || batch.next !== undefined) return batch
    // The account of keys without a user follows the others.
    const all = [...batch.records, ownerless(facts)] as unknown as readonly RecordOf[K][]
    return { ...batch, records: all, read: batch.read + 1 }
  }
  return {
    family: 'litellm',
    generation: tables.get(KEYS)?.includes('total_spend') === true ? '1.100 or later' : 'before 1.100',
    store: store.kind,
    unknown: await leftTables(store, tables),
    quotaPerUnit: DEFAULT_QUOTA_PER_UNIT,
    fingerprint: async () => {
      const rows = await store.page({ table: KEYS, key: 'token', limit: 20, columns: ['token'] })
      return rows.map((row) => new Cells(row).text('token').slice(0, 16))
    },
    maxId: async () => 0,
    count: async (kind) => {
      let count = 0
      for (const { table } of parts[kind] ?? []) count += await store.count(table)
      return kind === 'users' ? count + 1 : count
    },
    read,
    statedPrices: async () => NO_STATED_PRICES,
    observedPrices: async () => [],
    samples: async (limit) => (tables.has(LOGS) ? await readSamples(store, limit) : []),
    sums: async () => {
      const sums = { users_quota: 0n, users_used: 0n, channels_used: 0n }
      for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
        const batch = await read('users', { after, limit: 1000 })
        for (const { quota, used_quota } of batch.records) {
          sums.users_quota += BigInt(quota)
          sums.users_used += BigInt(used_quota)
        }
        after = batch.next
      }
      return sums
    },
    close: () => store.close(),
  }
}

type Reading<K extends ImportKind> = { readonly kind: K; readonly parts: readonly Part<K>[]; readonly wanted: ReadOptions }

/** A position is the number of the part, and the key and tie of the last row. */
const Position = z.tuple([z.int(), z.string().nullable(), z.string().nullable()])

async function readPart<K extends ImportKind>(store: Store, { kind, parts, wanted }: Reading<K>): Promise<Batch<K>> {
  const [at, after, tieAfter] = wanted.after === undefined ? [0, null, null] : Position.parse(JSON.parse(wanted.after))
  const part = parts[at]
  if (part === undefined) return { records: [], refused: [], skipped: 0, read: 0, next: undefined, reached: undefined }
  const { table, key, tie, time } = part
  const rows = await store.page({
    table,
    key,
    after: after ?? undefined,
    ...(tie === undefined ? {} : { tie: { column: tie, after: tieAfter ?? undefined } }),
    limit: wanted.limit,
    ...(time === undefined || wanted.since === undefined ? {} : { atLeast: { column: time.column, value: time.textOf(wanted.since) } }),
  })
  const records: RecordOf[K][] = []
  const refused: ImportItem[] = []
  let skipped = 0
  for (const row of rows) {
    const cells = new Cells(row)
    const made = await part.make(cells)
    if ('record' in made) records.push(made.record)
    else if ('skipped' in made) skipped += 1
    else
      refused.push({
        kind,
        at: `${table} ${cells.text('key_alias') || cells.text(tie ?? key).slice(0, 8)}`,
        code: made.refused,
        detail: '',
      })
  }
  const last = rows.at(-1)
  const end = last === undefined ? undefined : new Cells(last)
  const reached = end === undefined ? undefined : positionOf(at, end.text(key), tie === undefined ? null : end.text(tie))
  const isEnd = rows.length < wanted.limit
  const next = isEnd ? (at + 1 < parts.length ? positionOf(at + 1, null, null) : undefined) : reached
  return { records, refused, skipped, read: rows.length, next, reached }
}

const positionOf = (at: number, key: string | null, tie: string | null): string => JSON.stringify([at, key, tie])

/** Hashes of the keys of teams, also of deleted ones. */
async function readTeamKeys(store: Store, tables: Tables): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (const [table, key] of [
    [KEYS, 'token'],
    [DELETED_KEYS, 'id'],
  ] as const) {
    if (!tables.has(table)) continue
    for (let after: string | undefined; ;) {
      const rows = await store.page({ table, columns: [...new Set([key, 'token', 'team_id'])], key, after, limit: 5000 })
      const cells = rows.map((row) => new Cells(row))
      for (const one of cells) if (one.text('team_id') !== '') found.add(one.text('token'))
      if (rows.length < 5000) break
      after = cells.at(-1)?.text(key)
    }
  }
  return found
}

const SAMPLED_ROWS = 5000

/** Charged requests of the newest rows, some of each model. */
async function readSamples(store: Store, limit: number): Promise<LogRecord[]> {
  const rows = await store.page({ table: LOGS, key: 'startTime', tie: { column: 'request_id' }, limit: SAMPLED_ROWS, order: 'descending' })
  const charged = rows.flatMap((row) => {
    const made = toSample(new Cells(row))
    return made === undefined ? [] : [made]
  })
  return inTurns([...Map.groupBy(charged, ({ model }) => model).values()], limit)
}

async function readAll(store: Store, tables: Tables, table: string, key: string): Promise<Cells[]> {
  if (!tables.has(table)) return []
  const found: Cells[] = []
  for (let after: string | undefined; ;) {
    const rows = await store.page({ table, key, after, limit: 5000 })
    found.push(...rows.map((row) => new Cells(row)))
    if (rows.length < 5000) return found
    after = found.at(-1)?.text(key)
  }
}

const CODES: Readonly<Record<string, string>> = {
  LiteLLM_OrganizationTable: 'left-organisations',
  LiteLLM_OrganizationMembership: 'left-organisations',
  LiteLLM_ProjectTable: 'left-organisations',
  LiteLLM_ProxyModelTable: 'left-sealed',
  LiteLLM_CredentialsTable: 'left-sealed',
  LiteLLM_Config: 'left-sealed',
}

/** Tables with rows that are not carried. */
async function leftTables(store: Store, tables: Tables): Promise<ImportItem[]> {
  const items: ImportItem[] = []
  for (const table of tables.keys()) {
    if (QUIET.has(table)) continue
    const count = await store.count(table)
    if (count > 0) items.push({ kind: 'schema', at: table, code: CODES[table] ?? 'left-no-counterpart', detail: String(count) })
  }
  return items
}
