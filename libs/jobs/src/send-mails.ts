import { z } from 'zod'
import { job } from './job.ts'

export const sendMails = job('send-mails', {
  summary: 'Sends mails that are due, and those that failed once their wait is over.',
  queue: 'mail',
  attempts: 1,
  timeoutMs: 90_000,
  payload: z.object({}),
  result: z.object({ sent: z.int(), postponed: z.int(), dead: z.int() }),
  dedupe: () => 'all',
  schedule: { whenDueMs: 1000, payloads: [{}] },
})
