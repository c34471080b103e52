import type { ImportItem } from '@tollgate/contracts/moving-in/report'
import type { ImportKind, RecordOf } from '@tollgate/contracts/moving-in/records'
import { DEFAULT_QUOTA_PER_UNIT } from '@tollgate/contracts/units'
import { Cells } from '../cells/cells.ts'
import type { Batch, ReadOptions, Source } from '../source.ts'
import type { Store } from '../stores/store.ts'
import { ownerless, TEAMS, toKey, toTeam, toUser, USERS, type Facts } from './accounts.ts'
import { textArray } from './values.ts'

const KEYS = 'LiteLLM_VerificationToken'
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
  '_prisma_migrations',
])

export const isLiteLlm = (tables: ReadonlyMap<string, readonly string[]>): boolean =>
  [USERS, TEAMS, KEYS].every((table) => tables.has(table))

type Part = { readonly table: string; readonly key: string }
const PARTS: Partial<Readonly<Record<ImportKind, readonly Part[]>>> = {
  users: [
    { table: USERS, key: 'user_id' },
    { table: TEAMS, key: 'team_id' },
  ],
  tokens: [{ table: KEYS, key: 'token' }],
}

/** The Postgres database of a LiteLLM proxy: users, teams and keys. Its models are in the configuration. */
export async function openLiteLlm(store: Store, { now, unlimitedAs }: Pick<Facts, 'now' | 'unlimitedAs'>): Promise<Source> {
  const tables = await store.tables()
  const facts: Facts = {
    budgets: new Map((await readAll(store, tables, BUDGETS, 'budget_id')).map((cells) => [cells.text('budget_id'), cells])),
    teams: new Map((await readAll(store, tables, TEAMS, 'team_id')).map((cells) => [cells.text('team_id'), textArray(cells, 'models')])),
    now,
    unlimitedAs,
  }
  const read = async <K extends ImportKind>(kind: K, wanted: ReadOptions): Promise<Batch<K>> =>
    await readPart(store, facts, { kind, wanted })
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
      for (const { table } of PARTS[kind] ?? []) count += await store.count(table)
      return kind === 'users' ? count + 1 : count
    },
    read,
    observedPrices: async () => [],
    samples: async () => [],
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

type Reading<K extends ImportKind> = { readonly kind: K; readonly wanted: ReadOptions }

async function readPart<K extends ImportKind>(store: Store, facts: Facts, { kind, wanted }: Reading<K>): Promise<Batch<K>> {
  const parts = PARTS[kind] ?? []
  const [at, after] =
    wanted.after === undefined ? [0, undefined] : [Number(wanted.after.split(':', 1)[0]), wanted.after.slice(wanted.after.indexOf(':') + 1)]
  const part = parts[at]
  const none = { records: [], refused: [], skipped: 0, read: 0, next: undefined }
  if (part === undefined) return none
  const rows = await store.page({ table: part.table, key: part.key, after: after === '' ? undefined : after, limit: wanted.limit })
  const records: (RecordOf['users'] | RecordOf['tokens'])[] = []
  const refused: ImportItem[] = []
  let skipped = 0
  for (const row of rows) {
    const cells = new Cells(row)
    if (part.table === USERS) records.push(toUser(cells, facts))
    else if (part.table === TEAMS) records.push(toTeam(cells, facts))
    else {
      const made = toKey(cells, facts)
      if ('record' in made) records.push(made.record)
      else if ('skipped' in made) skipped += 1
      else refused.push({ kind, at: `${KEYS} ${cells.text('key_alias')}`, code: made.refused, detail: '' })
    }
  }
  const last = rows.at(-1)
  const isEnd = last === undefined || rows.length < wanted.limit
  const next = isEnd ? (at + 1 < parts.length ? `${at + 1}:` : undefined) : `${at}:${new Cells(last).text(part.key)}`
  if (kind === 'users' && next === undefined) records.push(ownerless(facts))
  // The parts of a kind make its records.
  return {
    records: records as unknown as readonly RecordOf[K][],
    refused,
    skipped,
    read: rows.length + (kind === 'users' && next === undefined ? 1 : 0),
    next,
  }
}

async function readAll(store: Store, tables: ReadonlyMap<string, readonly string[]>, table: string, key: string): Promise<Cells[]> {
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
async function leftTables(store: Store, tables: ReadonlyMap<string, readonly string[]>): Promise<ImportItem[]> {
  const items: ImportItem[] = []
  for (const table of tables.keys()) {
    if (QUIET.has(table)) continue
    const count = await store.count(table)
    if (count > 0) items.push({ kind: 'schema', at: table, code: CODES[table] ?? 'left-no-counterpart', detail: String(count) })
  }
  return items
}
