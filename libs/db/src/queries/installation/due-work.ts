import { sql } from 'kysely'
import type { UnixMillis } from '@tollgate/contracts/units'
import type { Db } from '../../connect.ts'

/** Kinds of work that the worker has now. */
export type DueWork = {
  /** Balance corrections are pending. */
  readonly corrections: boolean
  readonly mails: boolean
  readonly webhooks: boolean
  /** Events are to be sent to webhook endpoints. */
  readonly events: boolean
  /** Requests wait for webhook endpoints. */
  readonly feeds: boolean
  /** Vendors are to be asked about tasks. */
  readonly tasks: boolean
  /** Videos are to be copied. */
  readonly copies: boolean
  /** Price changes are to be applied. */
  readonly priceChanges: boolean
  /** There are batches, or requests to be sent later, that have not ended. */
  readonly deferred: boolean
  /** Payment providers are to be asked about orders. */
  readonly payments: boolean
}

/** One statement on indexes that contain open work only, instead of one or more for each kind. */
export async function findDueWork(db: Db, now: UnixMillis): Promise<DueWork> {
  const seconds = Math.floor(now / 1000)
  const { rows } = await sql<DueWork>`
    select
      exists (select from balance_corrections) as corrections,
      exists (select from deliveries where state = 'waiting' and channel = 'mail' and due_at <= ${seconds}) as mails,
      exists (select from deliveries where state = 'waiting' and channel = 'webhook' and due_at <= ${seconds}) as webhooks,
      exists (select from deliveries where state = 'waiting' and channel = 'event' and due_at <= ${seconds}) as events,
      exists (select from request_feed where endpoint_id is not null) as feeds,
      exists (select from task_polls where next_poll_at <= ${now}) as tasks,
      exists (select from media_copies where next_at <= ${now}) as copies,
      exists (select from price_changes where state = 'waiting' and at <= ${seconds}) as "priceChanges",
      exists (select from batches where status in ('validating', 'in_progress', 'cancelling'))
        or exists (select from deferred_requests where state = 'pending')
        or exists (select from deferred_requests where state = 'running') as deferred,
      exists (select from payment_orders where status = 'pending' and check_at <= ${seconds}) as payments`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('Postgres did not say what is due')
  return row
}
