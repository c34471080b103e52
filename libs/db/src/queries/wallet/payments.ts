import type { PaymentDispute, PaymentProviderId, PaymentStatus } from '@tollgate/contracts/enums'
import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Insertable, Selectable } from 'kysely'
import type { Db, Tx } from '../../connect.ts'
import type { Database } from '../../schema.ts'

export type PaymentOrderRow = Selectable<Database['payment_orders']>
export type ShownPaymentOrder = PaymentOrderRow & { readonly username: string | null }
export type PaymentEventRow = Selectable<Database['payment_events']>

export async function createPaymentOrder(db: Db | Tx, order: Insertable<Database['payment_orders']>): Promise<void> {
  await db.insertInto('payment_orders').values(order).execute()
}

/** Orders of a user that were created after this time and are not paid. */
export async function countUnpaidOrders(db: Db | Tx, { user_id, after }: { user_id: number; after: UnixSeconds }): Promise<number> {
  const { count } = await db
    .selectFrom('payment_orders')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', user_id)
    .where('created_at', '>', after)
    .where('status', 'in', ['pending', 'failed'])
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function lockPaymentOrder(
  tx: Tx,
  { provider, trade_no }: { provider: PaymentProviderId; trade_no: string },
): Promise<PaymentOrderRow | undefined> {
  return tx
    .selectFrom('payment_orders')
    .selectAll()
    .where('trade_no', '=', trade_no)
    .where('provider', '=', provider)
    .forUpdate()
    .executeTakeFirst()
}

export type PaymentOrderPatch = {
  readonly status?: PaymentStatus
  readonly refunded?: number
  readonly provider_ref?: string
  readonly dispute?: PaymentDispute
  readonly note?: string
  readonly paid_at?: UnixSeconds
  readonly check_at?: UnixSeconds
  readonly checks?: number
}

export async function updatePaymentOrder(db: Db | Tx, { trade_no, patch }: { trade_no: string; patch: PaymentOrderPatch }): Promise<void> {
  if (Object.keys(patch).length === 0) return
  await db.updateTable('payment_orders').set(patch).where('trade_no', '=', trade_no).execute()
}

/** Pending orders that the provider should be asked about, oldest due first. */
export function listDueOrders(db: Db, { now, limit }: { now: UnixSeconds; limit: number }): Promise<PaymentOrderRow[]> {
  return db
    .selectFrom('payment_orders')
    .selectAll()
    .where('status', '=', 'pending')
    .where('check_at', '<=', now)
    .orderBy('check_at')
    .limit(limit)
    .execute()
}

export type PaymentOrderFilter = {
  readonly user_id?: number
  readonly status?: PaymentStatus
  /** An order number, a provider's number or a user name, in full. */
  readonly keyword: string
}

const filtered = (db: Db, { user_id, status, keyword }: PaymentOrderFilter) =>
  db
    .selectFrom('payment_orders')
    .leftJoin('users', 'users.id', 'payment_orders.user_id')
    .$if(user_id !== undefined, (query) => query.where('payment_orders.user_id', '=', user_id ?? 0))
    .$if(status !== undefined, (query) => query.where('payment_orders.status', '=', status ?? 'pending'))
    .$if(keyword !== '', (query) =>
      query.where((eb) =>
        eb.or([
          eb('payment_orders.trade_no', '=', keyword),
          eb('payment_orders.provider_ref', '=', keyword),
          eb('users.username', '=', keyword),
        ]),
      ),
    )

export async function listPaymentOrders(
  db: Db,
  { filter, limit, offset }: { filter: PaymentOrderFilter; limit: number; offset: number },
): Promise<{ readonly rows: ShownPaymentOrder[]; readonly total: number }> {
  const [rows, { total }] = await Promise.all([
    filtered(db, filter)
      .selectAll('payment_orders')
      .select('users.username')
      .orderBy('payment_orders.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute(),
    filtered(db, filter)
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  ])
  return { rows, total: Number(total) }
}

export function findPaymentOrder(db: Db, trade_no: string): Promise<ShownPaymentOrder | undefined> {
  return db
    .selectFrom('payment_orders')
    .leftJoin('users', 'users.id', 'payment_orders.user_id')
    .selectAll('payment_orders')
    .select('users.username')
    .where('trade_no', '=', trade_no)
    .executeTakeFirst()
}

/** Records a verified statement of a provider; the same statement again is counted, and keeps its first outcome unless that was `refused`. */
export async function recordPaymentEvent(
  tx: Tx,
  event: Pick<PaymentEventRow, 'provider' | 'event_id' | 'trade_no' | 'kind' | 'outcome' | 'detail'> & { readonly now: UnixSeconds },
): Promise<void> {
  const { now, ...row } = event
  await tx
    .insertInto('payment_events')
    .values({ ...row, first_at: now, last_at: now })
    .onConflict((conflict) =>
      conflict.columns(['provider', 'event_id']).doUpdateSet((eb) => ({
        received: eb('payment_events.received', '+', 1),
        last_at: now,
        outcome: eb.case().when('payment_events.outcome', '=', 'refused').then(row.outcome).else(eb.ref('payment_events.outcome')).end(),
      })),
    )
    .execute()
}

/** The newest 200 statements about an order. */
export function listPaymentEvents(db: Db, trade_no: string): Promise<PaymentEventRow[]> {
  return db.selectFrom('payment_events').selectAll().where('trade_no', '=', trade_no).orderBy('first_at', 'desc').limit(200).execute()
}
