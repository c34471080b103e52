import { z } from 'zod'
import { job } from './job.ts'

export const checkSpendAlerts = job('check-spend-alerts', {
  summary:
    'Tells users whose account or token spent more in a day, week or month than their threshold, or a share of a budget, once per period.',
  queue: 'upkeep',
  attempts: 1,
  timeoutMs: 60_000,
  payload: z.object({}),
  result: z.object({ checked: z.int(), notified: z.int() }),
  dedupe: () => 'all',
  schedule: { everyMs: 60_000, payloads: [{}] },
})
