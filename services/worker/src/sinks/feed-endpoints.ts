import { unsealOption } from '@tollgate/config/sealing'
import { MAX_WAITING } from '@tollgate/db/queries/deliveries/deliveries'
import { addEvent, countWaitingEvents, type EventTarget } from '@tollgate/db/queries/deliveries/events'
import { listFedEndpoints, listFedRows, lockFedBatches, removeFedBatches } from '@tollgate/db/queries/logs/request-feed'
import type { Tx } from '@tollgate/db/connect'
import { createOptionReader } from '@tollgate/db/option-reader'
import type { Deps } from '../deps.ts'
import { toPostedRequest } from './posted-request.ts'

export type FeedDeps = Pick<Deps, 'db' | 'secrets' | 'now'>

const BATCHES_AT_ONCE = 5
const REQUESTS_PER_EVENT = 100
/** Events that the batches of one transaction can become: each has at most a thousand requests. */
const ROOM = 50

/**
 * Queues what was posted as events `request.posted`, in the transaction that takes it from the feed. While the queue of an endpoint is
 * full, its requests stay in the feed.
 */
export async function feedEndpoints({ db, secrets, now }: FeedDeps): Promise<void> {
  const endpoints = await listFedEndpoints(db)
  if (endpoints.length === 0) return
  const quota_per_unit = await createOptionReader(db, unsealOption(secrets)).get('QuotaPerUnit')
  const seconds = Math.floor(now() / 1000)
  for (const endpoint of endpoints) await db.transaction().execute((tx) => feedOne(tx, endpoint, { quota_per_unit, now: seconds }))
}

type Facts = { readonly quota_per_unit: number; readonly now: number }

async function feedOne(tx: Tx, endpoint: EventTarget, { quota_per_unit, now }: Facts): Promise<void> {
  if ((await countWaitingEvents(tx, endpoint.id)) > MAX_WAITING - ROOM) return
  const batches = await lockFedBatches(tx, endpoint.id, BATCHES_AT_ONCE)
  for (const batch of batches) {
    const requests = (await listFedRows(tx, batch)).map((row) => toPostedRequest(row, quota_per_unit))
    for (let at = 0; at < requests.length; at += REQUESTS_PER_EVENT) {
      const data = { requests: requests.slice(at, at + REQUESTS_PER_EVENT) }
      await addEvent(tx, endpoint, { type: 'request.posted', data, now })
    }
  }
  await removeFedBatches(
    tx,
    batches.map(({ id }) => id),
  )
}
