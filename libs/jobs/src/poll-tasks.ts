import { z } from 'zod'
import { job } from './job.ts'

export const pollTasks = job('poll-tasks', {
  summary: 'Asks vendors about open tasks that are due, in batches per channel, and books the refunds of those that failed or expired.',
  queue: 'tasks',
  attempts: 1,
  timeoutMs: 60_000,
  payload: z.object({}),
  result: z.object({ polled: z.int(), changed: z.int(), ended: z.int(), failed: z.int() }),
  dedupe: () => 'all',
  schedule: { whenDueMs: 1000, payloads: [{}] },
})
