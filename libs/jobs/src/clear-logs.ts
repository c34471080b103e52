import { z } from 'zod'
import { job } from './job.ts'

export const clearLogs = job('clear-logs', {
  summary: 'Deletes log entries before the date that an administrator chose, and those older than the option LogRetentionDays.',
  queue: 'upkeep',
  attempts: 1,
  timeoutMs: 55_000,
  payload: z.object({}),
  /** When `isDone` is false, the next run continues. */
  result: z.object({ removed: z.int(), isDone: z.boolean() }),
  dedupe: () => 'all',
  schedule: { everyMs: 60_000, payloads: [{}] },
})
