import { sql } from 'kysely'
import type { UnixSeconds } from '@tollgate/contracts/units'
import { toArray } from '../../columns.ts'
import type { Tx } from '../../connect.ts'
import { logStoreOf, type LogCursor, type LogStore, type StoredLog } from '../../log-store.ts'
import { parseFacts, withFacts, type LogFacts, type WithEvent } from '../../logged-event.ts'

const COLUMNS = ['created_at', 'id', 'channel_id', 'model_name', 'quota', 'type', 'usage', 'quote', 'explanation'] as const
type Facts = Omit<LogFacts, 'other'>

/** A request's row with what explains its charge. */
export type RecentLog = Pick<StoredLog, Exclude<(typeof COLUMNS)[number], keyof Facts>> & Facts

type Wanted = {
  readonly since: UnixSeconds
  /** Exclusive. */
  readonly until?: UnixSeconds
  readonly types?: readonly number[]
  readonly states?: readonly string[]
  readonly has: 'quote' | 'explanation'
}

/** Rows that are read at once: what else the process does waits no longer than it takes to unpack them. */
const PAGE = 250

/** The newest rows, at most so many, page by page, whether they are in Postgres, packed or not, or in a log store. */
export async function* readRecentLogs(tx: Tx, wanted: Wanted, most: number): AsyncGenerator<RecentLog[]> {
  const store = logStoreOf(tx)
  let before: LogCursor = { created_at: wanted.until ?? Number.MAX_SAFE_INTEGER, id: 0 }
  for (let left = most; left > 0;) {
    const limit = Math.min(PAGE, left)
    const rows = store === undefined ? await readHere(tx, wanted, { before, limit }) : await readStore(store, wanted, { before, limit })
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < limit) return
    before = { created_at: last.created_at, id: last.id }
    left -= rows.length
  }
}

type Page = { readonly before: LogCursor; readonly limit: number }

async function readHere(tx: Tx, { since, types, states, has }: Wanted, { before, limit }: Page): Promise<RecentLog[]> {
  const { rows } = await sql<WithEvent<RecentLog>>`
    select created_at, id, channel_id, model_name, quota, type, usage, quote, explanation, event
    from logs
    where created_at >= ${since} and created_at <= ${before.created_at} and (created_at, id) < (${before.created_at}::bigint, ${before.id}::bigint)
      and (event is not null or ${sql.ref(has)} is not null)
      ${types === undefined ? sql`` : sql`and type = any(${toArray(types, 'int')})`}
      ${states === undefined ? sql`` : sql`and state = any(${toArray(states, 'text')})`}
    order by created_at desc, id desc limit ${limit}`.execute(tx)
  return rows.map(withFacts)
}

async function readStore(store: LogStore, { since, has, ...condition }: Wanted, { before, limit }: Page): Promise<RecentLog[]> {
  const selection = { ...condition, filter: { from: since }, before, has: [has], columns: COLUMNS, order: 'newest', limit } as const
  return (await store.select(selection)).map(parseFacts)
}
