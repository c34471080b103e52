import { sql, type Selectable } from 'kysely'
import type { DeliveryChannel, DeliveryState, DeliveryTemplate, Language } from '@tollgate/contracts/texts/mails'
import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'
import { toJsonb } from '../../jsonb.ts'
import { toArray } from '../../columns.ts'
import type { Database } from '../../schema.ts'

export type NewDelivery = {
  readonly channel: Exclude<DeliveryChannel, 'event'>
  /** A mail address or a URL. */
  readonly target: string
  readonly template: DeliveryTemplate
  readonly language: Language
  readonly details: Readonly<Record<string, string>>
  readonly user_id: number
  readonly now: UnixSeconds
}

/** Deliveries of one user that may wait. A host that answers nothing for two days keeps no more rows than this. */
export const MAX_WAITING = 1000

/** Adds a delivery that is due at once; undefined: too many of this user wait. */
export async function createDelivery(tx: Tx, { details, now, ...rest }: NewDelivery): Promise<number | undefined> {
  if (rest.user_id !== 0 && (await countWaiting(tx, rest.user_id)) >= MAX_WAITING) return undefined
  const { id } = await tx
    .insertInto('deliveries')
    .values({ ...rest, details: toJsonb(details), created_at: now, due_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function countWaiting(tx: Tx, user_id: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from (select from deliveries where user_id = ${user_id} and state = 'waiting' limit ${MAX_WAITING}) as waiting`.execute(tx)
  return rows[0]?.count ?? 0
}

/** True if a delivery to this address with these details waits already. */
export async function isDeliveryWaiting(tx: Tx, { target, details }: Pick<NewDelivery, 'target' | 'details'>): Promise<boolean> {
  const row = await tx
    .selectFrom('deliveries')
    .select('id')
    .where('state', '=', 'waiting')
    .where('attempts', '=', 0)
    .where('channel', '=', 'webhook')
    .where('target', '=', target)
    .where(sql<boolean>`details = ${toJsonb(details)}`)
    .executeTakeFirst()
  return row !== undefined
}

export type DeliveryRow = Selectable<Database['deliveries']>

type Claim = {
  readonly channel: DeliveryRow['channel']
  readonly now: UnixSeconds
  readonly limit: number
  readonly leaseSeconds: number
  /** Users whose deliveries stay where they are. */
  readonly except: readonly number[]
}

/** How many of the longest due rows one claim compares. Waiting rows per user are bounded, so these belong to several users. */
const COMPARED = 4 * MAX_WAITING

/**
 * Takes due deliveries and counts the attempt: one per user, so that each is served in turn. Those of no user, which carry codes, come
 * first and each counts as one user. Until the lease ends no other worker takes them; a worker that dies leaves them to the next one.
 */
export async function claimDeliveries(db: Db, { channel, now, limit, leaseSeconds, except }: Claim): Promise<DeliveryRow[]> {
  const { rows } = await sql<DeliveryRow>`
    with due as (
      (select id, user_id, due_at from deliveries
        where state = 'waiting' and user_id = 0 and channel = ${channel} and due_at <= ${now}
        order by due_at, id limit ${limit})
      union all
      (select id, user_id, due_at from deliveries
        where state = 'waiting' and user_id <> 0 and channel = ${channel} and due_at <= ${now} and user_id <> all(${toArray(except, 'bigint')})
        order by due_at, id limit ${COMPARED})
    ), turns as (
      select id, user_id, due_at,
        row_number() over (partition by user_id, case when user_id = 0 then id end order by due_at, id) as turn
      from due
    ), taken as (
      select deliveries.id from deliveries join turns using (id)
      where turns.turn = 1 and deliveries.state = 'waiting' and deliveries.due_at <= ${now}
      order by turns.user_id = 0 desc, turns.due_at, turns.id limit ${limit} for update of deliveries skip locked
    )
    update deliveries set attempts = attempts + 1, due_at = ${now + leaseSeconds}
    from taken where deliveries.id = taken.id
    returning deliveries.*`.execute(db)
  return rows.toSorted((a, b) => Number(b.user_id === 0) - Number(a.user_id === 0) || a.id - b.id)
}

type Attempt = Pick<DeliveryRow, 'id' | 'attempts'>

/** Ends a delivery. No effect when another worker has taken it meanwhile. */
export async function endDelivery(
  db: Db,
  { id, attempts }: Attempt,
  { state, error, now }: { readonly state: 'sent' | 'dead'; readonly error: string; readonly now: UnixSeconds },
): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ state, error, ended_at: now })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'waiting')
    .execute()
}

/** Leaves a delivery for a later attempt. */
export async function postponeDelivery(
  db: Db,
  { id, attempts }: Attempt,
  { due_at, error }: { readonly due_at: UnixSeconds; readonly error: string },
): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ due_at, error })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'waiting')
    .execute()
}

/** Puts a delivery back that was taken and not tried. */
export async function returnDelivery(db: Db, { id, attempts }: Attempt, due_at: UnixSeconds): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ due_at, attempts: attempts - 1 })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'waiting')
    .execute()
}

/** Forgets a delivery that turned out to have nothing to say. */
export async function removeDelivery(db: Db, id: number): Promise<void> {
  await db.deleteFrom('deliveries').where('id', '=', id).execute()
}

/** Deletes deliveries that ended before a time; returns how many. */
export async function removeEndedDeliveries(db: Db, before: UnixSeconds): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('deliveries')
    .where('state', '<>', 'waiting')
    .where('ended_at', '<', before)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export type DeliveryFilter = { readonly state?: DeliveryState | undefined; readonly user_id?: number | undefined }
type Page = DeliveryFilter & { readonly offset: number; readonly limit: number }

/** Deliveries, newest first. */
export function listDeliveries(db: Db, { offset, limit, ...filter }: Page): Promise<DeliveryRow[]> {
  return filtered(db, filter).selectAll().orderBy('id', 'desc').offset(offset).limit(limit).execute()
}

export async function countDeliveries(db: Db, filter: DeliveryFilter): Promise<number> {
  const { count } = await filtered(db, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

function filtered(db: Db, { state, user_id }: DeliveryFilter) {
  return db
    .selectFrom('deliveries')
    .$if(state !== undefined, (query) => query.where('state', '=', state ?? ''))
    .$if(user_id !== undefined, (query) => query.where('user_id', '=', user_id ?? 0))
}

/** Makes a dead delivery due again, with a new lifetime; false when it is not dead. */
export async function reviveDelivery(tx: Tx, id: number, now: UnixSeconds): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('deliveries')
    .set({ state: 'waiting', attempts: 0, due_at: now, created_at: now, ended_at: 0 })
    .where('id', '=', id)
    .where('state', '=', 'dead')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
