import type { Handler } from '@tollgate/jobs/jobs'
import { sendDue, type DeliveryDeps } from '../deliveries/send-due.ts'

/** Safe to run twice: a call is leased to one run, and a repeated one has the same X-Webhook-Id. */
export const sendWebhooks =
  (deps: DeliveryDeps): Handler<'send-webhooks'> =>
  (_payload, { signal }) =>
    sendDue(deps, 'webhook', signal)
