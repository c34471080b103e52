import { z } from 'zod'
import { IdParams, PageQuery, pageOf, queryText, textOf } from '../values/common-schemas.ts'
import { endpoint } from '../endpoint.ts'
import { DELIVERY_CHANNELS, DELIVERY_STATES, DELIVERY_TEMPLATES } from '../texts/mails.ts'
import { UnixSeconds } from '../units.ts'

/** A mail or webhook that was queued; its content is not shown, because it may concern other people. */
export const OutboxEntry = z.object({
  id: z.int(),
  channel: z.enum(DELIVERY_CHANNELS),
  /** The address; of a webhook without its query, which may hold a secret. */
  target: z.string(),
  template: z.enum(DELIVERY_TEMPLATES),
  /** The account that it concerns; 0: none. */
  user_id: z.int(),
  state: z.enum(DELIVERY_STATES),
  attempts: z.int(),
  created_at: UnixSeconds,
  /** When a waiting one is tried again. */
  due_at: UnixSeconds,
  ended_at: UnixSeconds,
  /** Why the last attempt failed. */
  error: z.string(),
})
export type OutboxEntry = z.infer<typeof OutboxEntry>

const Page = pageOf(OutboxEntry)

export const deliveries = {
  list: endpoint({
    method: 'GET',
    path: '/api/delivery/',
    access: 'root',
    summary: 'Mails and webhooks, newest first; those that were given up with state `dead` (ours)',
    query: z.object({ ...PageQuery.shape, state: queryText(20) }),
    data: Page,
  }),
  retry: endpoint({
    method: 'POST',
    path: '/api/delivery/{id}/retry',
    access: 'root',
    summary: 'Sends a mail or webhook again that was given up (ours)',
    params: IdParams,
  }),
  testMail: endpoint({
    method: 'POST',
    path: '/api/delivery/test_mail',
    access: 'root',
    limit: 'critical',
    summary: 'Sends a test mail with the saved options and waits for the mail server’s answer (ours)',
    /** Empty: the caller's own address. */
    body: z.object({ to: textOf(500) }),
  }),
  listOwn: endpoint({
    method: 'GET',
    path: '/api/user/notifications',
    access: 'user',
    right: 'organisation.read',
    summary: 'Own notices, newest first (ours)',
    query: PageQuery,
    data: Page,
  }),
  testOwn: endpoint({
    method: 'POST',
    path: '/api/user/notifications/test',
    access: 'user',
    right: 'organisation.write',
    limit: 'critical',
    summary: 'Sends a test notice as the own setting says (ours)',
  }),
}
