import { z } from 'zod'
import { job } from './job.ts'

export const rollupUsage = job('rollup-usage', {
  summary:
    'Posts usage events that an older worker could not read, and aggregates finished hours and days of usage, so that lists and statistics over months take milliseconds.',
  queue: 'upkeep',
  attempts: 1,
  timeoutMs: 60_000,
  payload: z.object({}),
  /** When `isDone` is false, the next run continues. */
  result: z.object({ rolledUp: z.int(), isDone: z.boolean() }),
  dedupe: () => 'all',
  schedule: { everyMs: 60_000, payloads: [{}] },
})
