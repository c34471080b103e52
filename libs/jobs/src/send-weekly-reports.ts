import { z } from 'zod'
import { job } from './job.ts'

export const sendWeeklyReports = job('send-weekly-reports', {
  summary: 'Queues the report of last week (UTC) for every user with requests in it, once per user and week, if WeeklyReportEnabled.',
  queue: 'upkeep',
  attempts: 1,
  timeoutMs: 300_000,
  payload: z.object({}),
  result: z.object({ queued: z.int() }),
  dedupe: () => 'all',
  schedule: { everyMs: 600_000, payloads: [{}] },
})
