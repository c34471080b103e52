import type { Handler } from '@tollgate/jobs/jobs'
import { sendDue, type DeliveryDeps } from '../deliveries/send-due.ts'

/** Safe to run twice: a mail is leased to one run, and a repeated one has the same Message-ID. */
export const sendMails =
  (deps: DeliveryDeps): Handler<'send-mails'> =>
  (_payload, { signal }) =>
    sendDue(deps, 'mail', signal)
