import { z } from 'zod'
import { job } from './job.ts'

export const replayPrices = job('replay-prices', {
  summary: 'Prices the charges of the last days again with prices that an administrator considers; changes no charge.',
  // Long, but it needs Postgres only and leaves the event loop free between pages.
  queue: 'probe',
  attempts: 1,
  timeoutMs: 3_600_000,
  payload: z.object({ id: z.int() }),
  result: z.object({ state: z.enum(['done', 'cancelled', 'stopped']), requests: z.int() }),
  dedupe: ({ id }) => String(id),
})
