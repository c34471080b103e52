import { z } from 'zod'
import { job } from './job.ts'

export const measureCosts = job('measure-costs', {
  summary: 'Measures what a million useful tokens of each model cost at each channel in the last hours, for routing and the channel list.',
  queue: 'upkeep',
  attempts: 1,
  timeoutMs: 60_000,
  payload: z.object({}),
  result: z.object({ rows: z.int() }),
  dedupe: () => 'all',
  schedule: { everyMs: 300_000, payloads: [{}] },
})
