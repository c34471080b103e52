import { sql } from 'kysely'
import type { Usage } from '@tollgate/contracts/pricing/quote'
import { DAY_SECONDS, type Quota, type UnixMillis, type UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'
import { logStoreOf } from '../../log-store.ts'
import { parseFacts, withFacts, type LogFacts, type WithEvent } from '../../logged-event.ts'
import type { EventTarget } from '../deliveries/events.ts'

/** Log rows that wait for a sink. */
export type FedBatch = {
  readonly id: number
  readonly hour: number
  readonly first_at: UnixSeconds
  readonly last_at: UnixSeconds
  /** Postgres' array literal, which goes back as it came. */
  readonly log_ids: string
}

/** A log row as far as a sink gets it. */
export type FedRow = {
  readonly id: number
  readonly type: number
  readonly created_at: UnixSeconds
  readonly request_id: string
  readonly state: string
  readonly user_id: number
  readonly username: string
  readonly token_id: number
  readonly token_name: string
  readonly group: string
  readonly model_name: string
  readonly asked_model: string | null
  readonly channel_id: number
  readonly is_stream: boolean
  readonly use_time: number
  readonly other: string
  readonly client_status: number | null
  readonly error_code: string
  readonly ended_by: string | null
  readonly attempts: number | null
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly usage: Usage | null
  readonly quota: Quota
  readonly session: string
}

/** The rows of a batch in their order; those that were cleared meanwhile are missing. */
export async function listFedRows(db: Db | Tx, { first_at, last_at, log_ids }: FedBatch): Promise<FedRow[]> {
  const store = logStoreOf(db)
  if (store !== undefined) {
    const ids = log_ids.slice(1, -1).split(',').map(Number)
    const filter = { from: first_at, to: last_at }
    const found = await store.select({ columns: FED_COLUMNS, order: 'oldest', limit: ids.length, filter, ids })
    return found.map((row) => toFedRow(parseFacts({ quote: '', ...row }))).toSorted((a, b) => a.id - b.id)
  }
  const { rows } = await sql<WithEvent<FedFields>>`
    select id, type, created_at, request_id, state, user_id, username, token_id, token_name, "group", model_name,
      channel_id, is_stream, use_time, other, error_code, prompt_tokens, completion_tokens, usage, explanation, event, quota, session
    from logs
    where created_at between ${first_at} and ${last_at} and id = any(${log_ids}::text::bigint[])
    order by id`.execute(db)
  return rows.map((row) => toFedRow(withFacts(row)))
}

const FED_COLUMNS = [
  ...(['id', 'type', 'created_at', 'request_id', 'state', 'user_id', 'username', 'token_id', 'token_name', 'group', 'model_name'] as const),
  ...(['channel_id', 'is_stream', 'use_time', 'other', 'error_code', 'prompt_tokens', 'completion_tokens', 'quota', 'session'] as const),
  ...(['usage', 'explanation'] as const),
]

type FedFacts = Pick<LogFacts, 'usage' | 'explanation'>
type FedFields = Omit<FedRow, 'asked_model' | 'client_status' | 'ended_by' | 'attempts' | 'usage'> & FedFacts

function toFedRow({ explanation, ...row }: FedFields): FedRow {
  return {
    ...row,
    asked_model: explanation?.fallback?.asked ?? null,
    client_status: explanation?.client_status ?? null,
    ended_by: explanation?.ended_by ?? null,
    attempts: explanation?.attempts?.length ?? null,
  }
}

/** Endpoints for which requests wait. */
export async function listFedEndpoints(db: Db): Promise<EventTarget[]> {
  const { rows } = await sql<EventTarget>`
    select id, url from webhook_endpoints as e
    where enabled and exists (select from request_feed where endpoint_id = e.id) order by id`.execute(db)
  return rows
}

/** The first batches of an endpoint in order, locked until the transaction ends; those that another one has locked are left out. */
export async function lockFedBatches(tx: Tx, endpoint_id: number, limit: number): Promise<FedBatch[]> {
  return await tx
    .selectFrom('request_feed')
    .select(['id', 'hour', 'first_at', 'last_at', 'log_ids'])
    .where('endpoint_id', '=', endpoint_id)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
}

export async function removeFedBatches(db: Db | Tx, ids: readonly number[]): Promise<void> {
  await sql`delete from request_feed where id = any(${idsOf(ids)})`.execute(db)
}

const idsOf = (ids: readonly number[]) => sql`${`{${ids.join(',')}}`}::text::bigint[]`

type Claim = {
  /** Hours before this one have ended. */
  readonly openHour: number
  readonly limit: number
  readonly now: UnixMillis
  readonly lease_ms: number
}

/**
 * Takes the batches of one hour for one object: of an hour that has ended, or of the current one when there are enough for an object. Until
 * the lease ends no other worker takes them.
 */
export async function claimObjectBatches(db: Db, { openHour, limit, now, lease_ms }: Claim): Promise<FedBatch[]> {
  const { rows } = await sql<FedBatch>`
    with due as (
      select hour from request_feed where endpoint_id is null and taken_until <= ${now}
      group by hour having hour < ${openHour} or count(*) >= ${limit} order by hour limit 1
    ), taken as (
      select id from request_feed
      where endpoint_id is null and hour = (select hour from due) and taken_until <= ${now}
      order by id limit ${limit} for update skip locked
    )
    update request_feed as f set taken_until = ${now + lease_ms} from taken where f.id = taken.id
    returning f.id, hour, first_at, last_at, log_ids`.execute(db)
  return rows.toSorted((a, b) => a.id - b.id)
}

export async function extendObjectLease(db: Db, ids: readonly number[], until: UnixMillis): Promise<void> {
  await sql`update request_feed set taken_until = ${until} where id = any(${idsOf(ids)})`.execute(db)
}

/** How long requests wait for an object sink that is off, so that a worker without its address, started by mistake, loses none. */
const KEPT_WITHOUT_SINK_S = 7 * DAY_SECONDS

/** Makes posting feed the object sink, or stop. What waits for a sink that is off is forgotten after a week. */
export async function setObjectSink(db: Db, { isOn, now }: { readonly isOn: boolean; readonly now: UnixSeconds }): Promise<void> {
  if (isOn) await sql`insert into object_sink (id) values (1) on conflict do nothing`.execute(db)
  else {
    await sql`delete from object_sink`.execute(db)
    await sql`delete from request_feed where endpoint_id is null and last_at < ${now - KEPT_WITHOUT_SINK_S}`.execute(db)
  }
}

/** When the oldest row was charged that waits for a sink; absent: none waits, or the sink is off. */
export type SinkLag = { readonly objects: UnixSeconds | null; readonly webhooks: UnixSeconds | null }

export async function findSinkLag(db: Db): Promise<SinkLag> {
  const { rows } = await sql<SinkLag>`
    select
      (select min(first_at) from request_feed where endpoint_id is null and exists (select from object_sink)) as objects,
      least((select min(first_at) from request_feed where endpoint_id is not null),
        (select min(created_at) from deliveries where state = 'waiting' and channel = 'event')) as webhooks`.execute(db)
  return rows[0] ?? { objects: null, webhooks: null }
}
