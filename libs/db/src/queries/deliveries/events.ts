import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { WebhookEventData, WebhookEventName } from '@tollgate/contracts/texts/webhook-events'
import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Tx } from '../../connect.ts'
import { toJsonb } from '../../jsonb.ts'
import { MAX_WAITING } from './deliveries.ts'

export type NewEvent<Name extends WebhookEventName> = {
  readonly type: Name
  readonly data: WebhookEventData[Name]
  readonly now: UnixSeconds
}

export type EventTarget = { readonly id: number; readonly url: string }

/** Queues an event for every endpoint that wants it, in the transaction of its cause. Its id is the same for all of them. */
export async function queueEvent<Name extends WebhookEventName>(tx: Tx, event: NewEvent<Name>): Promise<void> {
  const { rows } = await sql<EventTarget>`
    select id, url from webhook_endpoints where enabled and events ? ${event.type} order by id`.execute(tx)
  if (rows.length > 0) await queueFor(tx, rows, event)
}

/**
 * Queues an event for these endpoints. One whose queue is full loses it and counts that: a receiver that is down for days must not fill
 * the table.
 */
export async function queueFor<Name extends WebhookEventName>(
  tx: Tx,
  endpoints: readonly EventTarget[],
  event: NewEvent<Name>,
): Promise<void> {
  const row = rowOf(event)
  for (const endpoint of endpoints) {
    if ((await countWaitingEvents(tx, endpoint.id)) < MAX_WAITING) await insertEvent(tx, endpoint, row)
    else
      await tx
        .updateTable('webhook_endpoints')
        .set((eb) => ({ dropped: eb('dropped', '+', 1) }))
        .where('id', '=', endpoint.id)
        .execute()
  }
}

/** Queues an event for an endpoint whose queue has room, which the caller looked at. */
export async function addEvent<Name extends WebhookEventName>(tx: Tx, endpoint: EventTarget, event: NewEvent<Name>): Promise<void> {
  await insertEvent(tx, endpoint, rowOf(event))
}

function rowOf<Name extends WebhookEventName>({ type, data, now }: NewEvent<Name>) {
  const id = `evt_${randomUUID().replaceAll('-', '')}`
  const body = JSON.stringify({ type, timestamp: new Date(now * 1000).toISOString(), data })
  return {
    channel: 'event',
    template: 'event',
    language: 'en',
    details: toJsonb({ id, type, body }),
    created_at: now,
    due_at: now,
  } as const
}

async function insertEvent(tx: Tx, { id, url }: EventTarget, row: ReturnType<typeof rowOf>): Promise<void> {
  await tx
    .insertInto('deliveries')
    .values({ ...row, target: url, endpoint_id: id })
    .execute()
}

/** Deliveries that wait for an endpoint, counted up to the bound. */
export async function countWaitingEvents(tx: Tx, endpoint_id: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from (select from deliveries where endpoint_id = ${endpoint_id} and state = 'waiting' limit ${MAX_WAITING}) as waiting`.execute(tx)
  return rows[0]?.count ?? 0
}
