import { sql } from 'kysely'
import type { Db } from '@tollgate/db/connect'
import type { LogCursor } from '@tollgate/db/log-store'
import { parseFacts, withFacts, type LogFacts } from '@tollgate/db/logged-event'
import { createClickHouseStore } from '@tollgate/log-store/clickhouse'
import type { LogRow } from './audit-requests.ts'
import type { Cluster } from './cluster.ts'

const PAGE = 20_000

/** Every log row of a request, with the process that posted it and the client's id. */
export async function readLogRows({ db, logStore }: Cluster): Promise<LogRow[]> {
  if (logStore !== undefined) return await readStoredRows(db, logStore.url)
  const all: LogRow[] = []
  let after = 0
  for (;;) {
    const { rows } = await sql<StoredRow>`
      select l.id, l.type, l.created_at, l.request_id, l.state, l.quota, l."group", l.user_id, l.token_id, l.completion_tokens, coalesce(k.by, '?') as by,
        coalesce(k.budgets, '') as budgets, l.explanation, l.event
      from logs l left join usage_keys k on k.request_id = l.request_id and k.kind = case when l.state = 'late' then 'late' else 'final' end
      where l.id > ${after} and l.request_id <> '' and l.state <> '' order by l.id limit ${PAGE}`.execute(db)
    all.push(...rows.map(toLogRow))
    const last = rows.at(-1)
    if (last === undefined) return all
    after = last.id
  }
}

type StoredRow = Omit<LogRow, 'user_agent' | 'wallet_held' | 'token_held' | 'ended_by' | 'budgets_held'> & {
  readonly id: number
  readonly type: number
  readonly explanation: LogFacts['explanation']
  readonly event: Buffer | null
}

const toLogRow = (stored: StoredRow): LogRow => withExplanation(withFacts(stored))

type Explained = Omit<StoredRow, 'event'>

function withExplanation({ explanation, ...row }: Explained): LogRow {
  return {
    ...row,
    user_agent: explanation?.client.user_agent ?? '',
    wallet_held: explanation?.wallet_held ?? 0,
    token_held: explanation?.token_held ?? 0,
    ended_by: explanation?.ended_by ?? '',
    budgets_held: Object.fromEntries((explanation?.budgets ?? []).map(({ id, took }) => [id, took])),
  }
}

const COLUMNS = [
  ...(['id', 'type', 'created_at', 'request_id', 'state', 'quota', 'group', 'user_id', 'token_id', 'completion_tokens'] as const),
  ...(['usage', 'quote', 'explanation'] as const),
]

/** The rows that a log store has, with what Postgres knows of their posting. */
async function readStoredRows(db: Db, url: string): Promise<LogRow[]> {
  const store = createClickHouseStore({ url, exclusively: (work) => work() })
  const keys = await readUsageKeys(db)
  const all: LogRow[] = []
  try {
    for (let after: LogCursor = { created_at: 0, id: 0 }; ;) {
      const rows = await store.select({ columns: COLUMNS, order: 'oldest', limit: PAGE, after, has: ['request_id', 'state'] })
      for (const stored of rows) {
        const { usage: _usage, quote: _quote, ...row } = parseFacts(stored)
        const posted = keys.get(`${row.state === 'late' ? 'late' : 'final'} ${row.request_id}`)
        all.push(withExplanation({ ...row, by: posted?.by ?? '?', budgets: posted?.budgets ?? '' }))
      }
      const last = rows.at(-1)
      if (last === undefined) return all
      after = last
    }
  } finally {
    await store.close()
  }
}

type UsageKey = { readonly by: string; readonly budgets: string }

async function readUsageKeys(db: Db): Promise<Map<string, UsageKey>> {
  const keys = new Map<string, UsageKey>()
  for (let after = ''; ;) {
    const rows = await db
      .selectFrom('usage_keys')
      .select(['request_id', 'kind', 'by', 'budgets'])
      .where('request_id', '>', after)
      .orderBy('request_id')
      .limit(PAGE)
      .execute()
    const last = rows.at(-1)
    if (last === undefined) return keys
    // The rows of a request may be on two pages.
    const whole = rows.length < PAGE ? rows : rows.filter(({ request_id }) => request_id !== last.request_id)
    for (const { kind, request_id, by, budgets } of whole) keys.set(`${kind} ${request_id}`, { by, budgets: budgets ?? '' })
    after = whole.at(-1)?.request_id ?? last.request_id
  }
}
