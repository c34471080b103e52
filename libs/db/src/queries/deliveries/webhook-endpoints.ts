import { sql, type Selectable } from 'kysely'
import type { WebhookEndpointForm } from '@tollgate/contracts/resources/webhook-endpoints'
import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'
import { toJsonb } from '../../jsonb.ts'
import type { Database } from '../../schema.ts'
import type { DeliveryRow } from './deliveries.ts'

export type WebhookEndpointRow = Selectable<Database['webhook_endpoints']>

/** All endpoints with the number of their waiting deliveries. */
export async function listWebhookEndpoints(db: Db): Promise<(WebhookEndpointRow & { waiting: number })[]> {
  return await db
    .selectFrom('webhook_endpoints as e')
    .selectAll('e')
    .select((eb) =>
      eb
        .selectFrom('deliveries as d')
        .whereRef('d.endpoint_id', '=', 'e.id')
        .where('d.state', '=', 'waiting')
        .select((inner) => inner.fn.countAll<number>().as('waiting'))
        .$asScalar()
        .$notNull()
        .as('waiting'),
    )
    .orderBy('e.id')
    .execute()
}

export async function findWebhookEndpoint(db: Db | Tx, id: number): Promise<WebhookEndpointRow | undefined> {
  return await db.selectFrom('webhook_endpoints').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Counts them, and lets no other transaction add one until this one ends. */
export async function countWebhookEndpoints(tx: Tx): Promise<number> {
  await sql`lock table webhook_endpoints in share row exclusive mode`.execute(tx)
  const { count } = await tx
    .selectFrom('webhook_endpoints')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function createWebhookEndpoint(tx: Tx, { events, ...form }: WebhookEndpointForm, now: UnixSeconds): Promise<number> {
  const { id } = await tx
    .insertInto('webhook_endpoints')
    .values({ ...form, events: toJsonb(events), created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Requests that wait for an endpoint that no longer gets them are forgotten. */
export async function updateWebhookEndpoint(tx: Tx, id: number, { events, ...form }: WebhookEndpointForm): Promise<void> {
  await tx
    .updateTable('webhook_endpoints')
    .set({ ...form, events: toJsonb(events) })
    .where('id', '=', id)
    .execute()
  if (!form.enabled || !events.includes('request.posted')) await tx.deleteFrom('request_feed').where('endpoint_id', '=', id).execute()
}

type Secrets = Pick<WebhookEndpointRow, 'id' | 'secret_sealed'> &
  Partial<Pick<WebhookEndpointRow, 'old_secret_sealed' | 'old_secret_until'>>

export async function setWebhookSecrets(tx: Tx, { id, ...secrets }: Secrets): Promise<void> {
  await tx.updateTable('webhook_endpoints').set(secrets).where('id', '=', id).execute()
}

export async function removeWebhookEndpoint(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('webhook_endpoints').where('id', '=', id).execute()
}

/** The last deliveries of an endpoint, newest first. */
export async function listEventDeliveries(db: Db, endpoint_id: number, limit: number): Promise<DeliveryRow[]> {
  return await db.selectFrom('deliveries').selectAll().where('endpoint_id', '=', endpoint_id).orderBy('id', 'desc').limit(limit).execute()
}

/** Makes an ended delivery of an event due again, with a new lifetime; undefined: it waits, or is none. */
export async function reviveEvent(tx: Tx, id: number, now: UnixSeconds): Promise<{ endpoint_id: number | null } | undefined> {
  return await tx
    .updateTable('deliveries')
    .set({ state: 'waiting', attempts: 0, due_at: now, created_at: now, ended_at: 0, error: '' })
    .where('id', '=', id)
    .where('channel', '=', 'event')
    .where('state', '<>', 'waiting')
    .returning('endpoint_id')
    .executeTakeFirst()
}
