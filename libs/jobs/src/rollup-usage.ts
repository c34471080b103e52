import { z } from 'zod'
import { job } from './job.ts'

export const rollUpUsage = job('rollup-usage', {
  summary: 'Adds the hours and days of the roll-up that ended up, so that lists and statistics of months are read in milliseconds.',
  queue: 'upkeep',
  attempts: 1,
  timeoutMs: 60_000,
  payload: z.object({}),
  /** Not done: the next run goes on. */
  result: z.object({ folded: z.int(), isDone: z.boolean() }),
  dedupe: () => 'all',
  schedule: { everyMs: 60_000, payloads: [{}] },
})
