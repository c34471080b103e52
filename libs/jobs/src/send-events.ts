import { z } from 'zod'
import { job } from './job.ts'

export const sendEvents = job('send-events', {
  summary: 'Sends events that are due to the webhook endpoints of operators.',
  queue: 'webhooks',
  attempts: 1,
  timeoutMs: 90_000,
  payload: z.object({}),
  result: z.object({ sent: z.int(), postponed: z.int(), dead: z.int() }),
  dedupe: () => 'all',
  schedule: { whenDueMs: 1000, payloads: [{}] },
})
