import { z } from 'zod'
import { job } from './job.ts'

export const rollupUsage = job('rollup-usage', {
  summary: 'Sums up the finished hours and days of the usage rollup, so that lists and statistics over months are read in milliseconds.',
  queue: 'upkeep',
  attempts: 1,
  timeoutMs: 60_000,
  payload: z.object({}),
  /** When `isDone` is false, the next run continues. */
  result: z.object({ rolledUp: z.int(), isDone: z.boolean() }),
  dedupe: () => 'all',
  schedule: { everyMs: 60_000, payloads: [{}] },
})
