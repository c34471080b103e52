import { sql, type RawBuilder } from 'kysely'
import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'
import { withFactTexts, type FactTexts, type WithEvent } from '../../logged-event.ts'
import { logStoreOf } from '../../log-store.ts'

/** A log row's key: the position of a page in key order. */
export type LogPosition = { readonly created_at: UnixSeconds; readonly id: number }

/** A charge with its usage and quote, both as JSON text so that equal quotes are parsed once. */
export type PricedLog = LogPosition & {
  readonly request_id: string
  readonly state: string
  readonly quota: Quota
  readonly usage: string
  readonly quote: string
}

/** Takes the rows whose id modulo `one_in` is `offset`. */
export type Sample = { readonly one_in: number; readonly offset: number }

const PRICED_PAGE = {
  columns: ['id', 'created_at', 'request_id', 'state', 'quota', 'usage', 'quote'],
  order: 'oldest',
  has: ['request_id', 'usage', 'quote'],
} as const

/**
 * The next charged rows after `after` in key order, without corrections (those are differences). With a sample a page spans more of
 * the table; call until it is empty.
 */
export async function listPricedLogs(
  db: Db | Tx,
  { after, limit, sample }: { after: LogPosition; limit: number; sample: Sample },
): Promise<PricedLog[]> {
  const store = logStoreOf(db)
  if (store !== undefined) {
    return await store.select({ ...PRICED_PAGE, after, limit, sample, states: ['settled', 'estimated', 'released'] })
  }
  const { rows } = await sql<WithEvent<PricedLog>>`
    select id, created_at, request_id, state, quota::float8 as quota, usage::text as usage, quote::text as quote, event from logs
    where created_at >= ${after.created_at} and (created_at, id) > (${after.created_at}, ${after.id})
      and request_id <> '' and state in ('settled', 'estimated', 'released') and (event is not null or usage is not null and quote is not null)
      ${sample.one_in === 1 ? sql`` : sql`and id % ${sample.one_in} = ${sample.offset}`}
    order by created_at, id limit ${limit}`.execute(db)
  return rows.map(withPrice)
}

/** With empty texts, which the verifier reports, if this version cannot read the row's event. */
function withPrice<Row extends PricedLog>(row: WithEvent<Row>): Omit<Row, 'event'> {
  const read = withFactTexts<WithEvent<Row> & Partial<FactTexts>>(row)
  return { ...read, usage: read.usage ?? '', quote: read.quote ?? '' }
}

/** Corrections after `after` with the charge they correct, without those whose first row was deleted. */
export async function listCorrections(
  db: Db | Tx,
  { after, limit }: { after: LogPosition; limit: number },
): Promise<(PricedLog & { readonly first: Quota })[]> {
  const store = logStoreOf(db)
  if (store !== undefined) {
    const late = await store.select({ ...PRICED_PAGE, after, limit, states: ['late'] })
    const request_ids = late.map(({ request_id }) => request_id)
    const columns = ['request_id', 'quota'] as const
    const wanted = { request_ids, notStates: ['late', 'refunded'] }
    const firsts = await store.select({ columns, order: 'oldest', limit: 2 * late.length, ...wanted })
    const firstOf = new Map(firsts.map(({ request_id, quota }) => [request_id, quota]))
    const found = late.flatMap((row) => {
      const first = firstOf.get(row.request_id)
      return first === undefined ? [] : [{ ...row, first }]
    })
    const last = late.at(-1)
    return found.length > 0 || last === undefined ? found : await listCorrections(db, { after: last, limit })
  }
  const { rows } = await sql<WithEvent<PricedLog & { first: Quota }>>`
    select l.id, l.created_at, l.request_id, l.state, l.quota::float8 as quota, l.usage::text as usage, l.quote::text as quote, l.event,
      f.quota::float8 as first
    from logs l join logs f on f.request_id = l.request_id and f.state not in ('late', 'refunded')
    where (l.created_at, l.id) > (${after.created_at}, ${after.id}) and l.state = 'late' and l.request_id <> ''
      and (l.event is not null or l.usage is not null and l.quote is not null)
    order by l.created_at, l.id limit ${limit}`.execute(db)
  return rows.map(withPrice)
}

/** The planner's estimate of the number of log rows; an exact count when a partition was never analysed. */
export async function estimateLogs(db: Db | Tx): Promise<number> {
  const store = logStoreOf(db)
  if (store !== undefined) return await store.count({})
  const { rows } = await sql<{ known: number; unknown: number }>`
    select coalesce(sum(c.reltuples) filter (where c.reltuples > 0), 0)::bigint as known,
      count(*) filter (where c.reltuples < 0 and pg_relation_size(c.oid) > 0) as unknown
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'logs'::regclass`.execute(db)
  const [found] = rows
  if (found !== undefined && found.unknown === 0 && found.known > 0) return found.known
  const { rows: counted } = await sql<{ count: number }>`select count(*) as count from logs`.execute(db)
  return counted[0]?.count ?? 0
}

export type ShardAccount = {
  readonly id: number
  readonly given: Quota
  readonly used: Quota
  readonly version: number
  /** Its sum in Redis is to be set to the posted one: posting dropped or corrected events of it. */
  readonly is_due: boolean
}

/** As a double, which is exact up to 2^53: a row beyond that is reported instead of failing the read. */
const approximate = (column: string): RawBuilder<number> => sql<number>`${sql.ref(column)}::float8`

const isDue = (subject: 'user' | 'token', id: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select from balance_corrections r where r.subject = ${subject} and r.subject_id = ${sql.ref(id)})`

/** The users of a shard with an id above `after`, with the sums that Redis should hold. */
export function listShardUsers(tx: Tx, { shard, after, limit }: { shard: number; after: number; limit: number }): Promise<ShardAccount[]> {
  return tx
    .selectFrom('users')
    .select([
      'id',
      approximate('credited').as('given'),
      approximate('spent').as('used'),
      'wallet_version as version',
      isDue('user', 'users.id').as('is_due'),
    ])
    .where('shard', '=', shard)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** The tokens of a shard's users with an id above `after`. */
export function listShardTokens(tx: Tx, { shard, after, limit }: { shard: number; after: number; limit: number }): Promise<ShardAccount[]> {
  return tx
    .selectFrom('tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select([
      't.id',
      approximate('t.granted').as('given'),
      approximate('t.charged').as('used'),
      't.version',
      isDue('token', 't.id').as('is_due'),
    ])
    .where('u.shard', '=', shard)
    .where('t.id', '>', after)
    .orderBy('t.id')
    .limit(limit)
    .execute()
}
