import type { Handler } from '@tollgate/jobs/jobs'
import { sendDue, type DeliveryDeps } from '../deliveries/send-due.ts'

/** Safe to run twice: a delivery is leased to one run, and a repeated mail has the same Message-ID. */
export const sendDeliveries =
  (deps: DeliveryDeps): Handler<'send-deliveries'> =>
  (_payload, { signal }) =>
    sendDue(deps, signal)
