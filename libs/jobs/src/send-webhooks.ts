import { z } from 'zod'
import { job } from './job.ts'

export const sendWebhooks = job('send-webhooks', {
  summary: 'Calls webhooks and callbacks of tasks that are due. Mails have a queue of their own, so none waits for a silent host.',
  queue: 'webhooks',
  attempts: 1,
  timeoutMs: 90_000,
  payload: z.object({}),
  result: z.object({ sent: z.int(), postponed: z.int(), dead: z.int() }),
  dedupe: () => 'all',
  schedule: { whenDueMs: 1000, payloads: [{}] },
})
