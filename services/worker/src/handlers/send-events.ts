import type { Handler } from '@tollgate/jobs/jobs'
import { sendDue, type DeliveryDeps } from '../deliveries/send-due.ts'

/** Safe to run twice: an event is leased to one run, and a repeated one has the same id. */
export const sendEvents =
  (deps: DeliveryDeps): Handler<'send-events'> =>
  (_payload, { signal }) =>
    sendDue(deps, 'event', signal)
