import { sql, type RawBuilder } from 'kysely'
import { LogType } from '@tollgate/contracts/enums'
import type { PriceReplay, PriceTexts, ReplayResult, ReplayState } from '@tollgate/contracts/resources/prices'
import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'
import { toJsonb } from '../../jsonb.ts'
import { withFactTexts, type WithEvent } from '../../logged-event.ts'
import { logStoreOf, type LogColumn, type LogStore } from '../../log-store.ts'
import { cancelOpenRuns, finishRun, OPEN_STATES, reportRun, type Ending } from './replay-runs.ts'

const COLUMNS = ['id', 'state', 'since', 'until', 'requested_by', 'created_at', 'finished_at', 'done', 'total', 'result'] as const

type NewReplay = Pick<PriceReplay, 'since' | 'until' | 'requested_by' | 'created_at' | 'total'> & { readonly prices: PriceTexts }

/** Orders a replay; earlier ones that have not finished are cancelled. */
export async function createPriceReplay(tx: Tx, { prices, ...replay }: NewReplay): Promise<PriceReplay> {
  await cancelOpenRuns(tx, 'price_replays', replay.created_at)
  return await tx
    .insertInto('price_replays')
    .values({ ...replay, prices: toJsonb(prices) })
    .returning(COLUMNS)
    .$narrowType<{ state: ReplayState }>()
    .executeTakeFirstOrThrow()
}

export async function findLatestReplay(db: Db): Promise<PriceReplay | undefined> {
  return await db
    .selectFrom('price_replays')
    .select(COLUMNS)
    .$narrowType<{ state: ReplayState }>()
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Marks a replay as running and gives its order; undefined when it has ended. */
export async function startPriceReplay(
  db: Db,
  id: number,
): Promise<{ readonly since: UnixSeconds; readonly until: UnixSeconds; readonly prices: PriceTexts } | undefined> {
  return await db
    .updateTable('price_replays')
    .set({ state: 'running', done: 0 })
    .where('id', '=', id)
    .where('state', 'in', OPEN_STATES)
    .returning(['since', 'until', 'prices'])
    .executeTakeFirst()
}

/** Stores the progress; false when the replay was cancelled. */
export const reportReplay = (db: Db, id: number, done: number): Promise<boolean> => reportRun(db, 'price_replays', { id, done })

/** Ends a replay that has not ended; false when it has. */
export const finishPriceReplay = (db: Db | Tx, id: number, ending: Ending<ReplayResult>): Promise<boolean> =>
  finishRun(db, 'price_replays', id, ending)

export type ReplayPosition = { readonly created_at: UnixSeconds; readonly id: number }

/**
 * A charge with its usage as JSON text; `quote` is a hash, because millions of charges share few quotes, or its text where the row has
 * an event.
 */
export type ReplayRow = ReplayPosition & {
  readonly user_id: number
  readonly username: string
  readonly quota: Quota
  readonly usage: string
  readonly quote: string
}

export type LogPage = { readonly after: ReplayPosition; readonly until: UnixSeconds; readonly limit: number }

/**
 * Reads a page by walking the key: without statistics, as in a new partition, Postgres would read and sort everything that is left, for
 * each page.
 */
export async function readInKeyOrder<Row>(db: Db, query: RawBuilder<Row>): Promise<Row[]> {
  return await db.transaction().execute(async (tx) => {
    await sql`select set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true)`.execute(tx)
    return (await query.execute(tx)).rows
  })
}

type Selection = { readonly columns: RawBuilder<unknown>; readonly where: RawBuilder<unknown> }

/** The next rows of requests after `after` and before `until` in key order: their key, these columns, and only where it holds. */
export function listLogPage<Row>(db: Db, { after, until, limit }: LogPage, { columns, where }: Selection): Promise<Row[]> {
  const page = sql<Row>`
    select id, created_at, ${columns}
    from logs
    where created_at >= ${after.created_at} and created_at < ${until} and (created_at, id) > (${after.created_at}, ${after.id})
      and request_id <> '' and ${where}
    order by created_at, id limit ${limit}`
  return readInKeyOrder(db, page)
}

const REPLAY_COLUMNS = ['id', 'created_at', 'user_id', 'username', 'quota', 'usage', 'quote'] as const
/** Texts without which a row cannot be priced again. */
const PRICED = ['request_id', 'usage', 'quote'] as const

/** A page of a log store in key order. There the text of a quote stands for its hash. */
export const inKeyOrder = <Column extends LogColumn>({ after, until, limit }: LogPage, columns: readonly Column[]) =>
  ({ columns, order: 'oldest', filter: { from: after.created_at }, after, until, limit }) as const

/** The next charges, without corrections. */
export async function listReplayRows(db: Db, page: LogPage): Promise<ReplayRow[]> {
  const store = logStoreOf(db)
  if (store !== undefined) return await store.select({ ...inKeyOrder(page, REPLAY_COLUMNS), has: PRICED, states: ['settled', 'estimated'] })
  const rows = await listLogPage<WithEvent<ReplayRow>>(db, page, {
    columns: sql`user_id, username, quota::float8 as quota, usage::text as usage, jsonb_hash_extended(quote, 0)::text as quote, event`,
    where: sql`state in ('settled', 'estimated') and (event is not null or usage is not null and quote is not null)`,
  })
  return rows.flatMap(pricedRow)
}

/** Without the rows whose event this version cannot read. */
function pricedRow<Row extends ReplayRow>(row: WithEvent<Row>): Omit<Row, 'event'>[] {
  const read = withFactTexts(row)
  return read.usage === null || read.quote === null ? [] : [read]
}

/** Charges of these days, with those that carry no explanation. */
export async function countCharges(
  db: Db,
  { since, until }: { readonly since: UnixSeconds; readonly until: UnixSeconds },
): Promise<number> {
  const store = logStoreOf(db)
  if (store !== undefined) {
    const filter = { type: LogType.consume, from: since }
    return await store.count({ filter, until, notStates: ['released', 'refunded'] })
  }
  const { charges } = await db
    .selectFrom('logs')
    .select((eb) => eb.fn.countAll<number>().as('charges'))
    .where('created_at', '>=', since)
    .where('created_at', '<', until)
    .where('type', '=', LogType.consume)
    .where('state', 'not in', ['released', 'refunded'])
    .executeTakeFirstOrThrow()
  return Number(charges)
}

/** A correction with the usage that was charged first. */
export type ReplayCorrection = ReplayRow & { readonly first_usage: string; readonly first_state: string }

export async function listReplayCorrections(db: Db, { after, until, limit }: LogPage): Promise<ReplayCorrection[]> {
  const store = logStoreOf(db)
  if (store !== undefined) return await listStoredCorrections(store, { after, until, limit })
  const page = sql<WithEvent<ReplayCorrection> & { readonly first_event: Buffer | null }>`
    select l.id, l.created_at, l.user_id, l.username, l.quota::float8 as quota, l.usage::text as usage,
      jsonb_hash_extended(l.quote, 0)::text as quote, l.event, f.usage::text as first_usage, f.event as first_event, f.state as first_state
    from logs l join logs f on f.request_id = l.request_id and f.state not in ('late', 'refunded')
    where l.created_at >= ${after.created_at} and l.created_at < ${until} and (l.created_at, l.id) > (${after.created_at}, ${after.id})
      and l.state = 'late' and l.request_id <> '' and (l.event is not null or l.usage is not null and l.quote is not null)
      and (f.event is not null or f.usage is not null)
    order by l.created_at, l.id limit ${limit}`
  return (await readInKeyOrder(db, page)).flatMap(({ first_event, ...row }) => {
    const { usage: first_usage } = withFactTexts({ event: first_event, usage: row.first_usage })
    return first_usage === null ? [] : pricedRow(row).map((read) => ({ ...read, first_usage }))
  })
}

/** A page is full of corrections, of which those without their first row are left out: read until it is empty. */
async function listStoredCorrections(store: LogStore, page: LogPage): Promise<ReplayCorrection[]> {
  const columns = [...REPLAY_COLUMNS, 'request_id'] as const
  let { after } = page
  for (;;) {
    const late = await store.select({ ...inKeyOrder({ ...page, after }, columns), has: PRICED, states: ['late'] })
    const last = late.at(-1)
    if (last === undefined) return []
    const request_ids = late.map(({ request_id }) => request_id)
    const firsts = await store.select({
      columns: ['request_id', 'usage', 'state'],
      ...({ order: 'oldest', limit: 2 * late.length, request_ids, notStates: ['late', 'refunded'], has: ['usage'] } as const),
    })
    const firstOf = new Map(firsts.map((row) => [row.request_id, row]))
    const found = late.flatMap(({ request_id, ...row }) => {
      const first = firstOf.get(request_id)
      return first === undefined ? [] : [{ ...row, first_usage: first.usage, first_state: first.state }]
    })
    if (found.length > 0) return found
    after = last
  }
}

/** The quotes of these rows as JSON text, by hash. */
export async function listQuotes(db: Db, rows: readonly ReplayPosition[]): Promise<ReadonlyMap<string, string>> {
  if (rows.length === 0) return new Map()
  const store = logStoreOf(db)
  if (store !== undefined) {
    const times = rows.map(({ created_at }) => created_at)
    const filter = { from: Math.min(...times), to: Math.max(...times) }
    const ids = rows.map(({ id }) => id)
    const stored = await store.select({ columns: ['quote'], order: 'oldest', limit: ids.length, filter, ids })
    return new Map(stored.map(({ quote }) => [quote, quote]))
  }
  const keys = sql.join(rows.map(({ created_at, id }) => sql`(${created_at}::bigint, ${id}::bigint)`))
  const { rows: found } = await sql<{ hash: string | null; quote: string | null; event: Buffer | null }>`
    select jsonb_hash_extended(quote, 0)::text as hash, quote::text as quote, event from logs
    where (created_at, id) in (${keys})`.execute(db)
  return new Map(
    found.flatMap(({ hash, ...row }) => {
      const { quote } = withFactTexts(row)
      return quote === null ? [] : [[hash ?? quote, quote]]
    }),
  )
}
