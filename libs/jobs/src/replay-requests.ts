import { z } from 'zod'
import { job } from './job.ts'

export const replayRequests = job('replay-requests', {
  summary: 'Chooses the channels of recorded requests again with a configuration that an administrator considers; changes nothing.',
  // Long, but it needs Postgres only and leaves the event loop free between pages.
  queue: 'probe',
  attempts: 1,
  timeoutMs: 3_600_000,
  payload: z.object({ id: z.int() }),
  result: z.object({ state: z.enum(['done', 'cancelled', 'stopped']), requests: z.int() }),
  dedupe: ({ id }) => String(id),
})
