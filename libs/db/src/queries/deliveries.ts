import { sql, type Selectable } from 'kysely'
import type { DeliveryState, DeliveryTemplate, Language } from '@tollgate/contracts/mails'
import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../connect.ts'
import { toJsonb } from '../jsonb.ts'
import type { Database } from '../schema.ts'

export type NewDelivery = {
  readonly channel: 'mail' | 'webhook'
  /** A mail address or a URL. */
  readonly target: string
  readonly template: DeliveryTemplate
  readonly language: Language
  readonly details: Readonly<Record<string, string>>
  readonly user_id: number
  readonly now: UnixSeconds
}

/** Adds a delivery that is due at once. */
export async function createDelivery(tx: Tx, { details, now, ...rest }: NewDelivery): Promise<number> {
  const { id } = await tx
    .insertInto('deliveries')
    .values({ ...rest, details: toJsonb(details), created_at: now, due_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Whether a delivery to this address with these details waits already. */
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

type Claim = { readonly channel: DeliveryRow['channel']; readonly now: UnixSeconds; readonly limit: number; readonly leaseSeconds: number }

/**
 * Takes the next due deliveries and counts the attempt. Until the lease ends no other worker takes them; a worker that dies leaves them to
 * the next one.
 */
export async function claimDeliveries(db: Db, { channel, now, limit, leaseSeconds }: Claim): Promise<DeliveryRow[]> {
  const { rows } = await sql<DeliveryRow>`
    with due as (
      select id from deliveries where state = 'waiting' and channel = ${channel} and due_at <= ${now}
      order by due_at, id limit ${limit} for update skip locked
    )
    update deliveries set attempts = attempts + 1, due_at = ${now + leaseSeconds}
    from due where deliveries.id = due.id
    returning deliveries.*`.execute(db)
  return rows.toSorted((a, b) => a.id - b.id)
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
