import { z } from 'zod'
import { job } from './job.ts'

export const refreshPrices = job('refresh-prices', {
  summary: 'Compares the prices of served models with the catalogue, and takes what the bounds allow if PriceRefreshEnabled.',
  queue: 'upkeep',
  attempts: 1,
  timeoutMs: 60_000,
  payload: z.object({}),
  result: z.object({ applied: z.int(), waiting: z.int() }),
  dedupe: () => 'all',
  schedule: { dailyAt: '00:10', payloads: [{}] },
})
