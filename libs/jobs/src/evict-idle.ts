import { z } from 'zod'
import { job } from './job.ts'

export const evictIdle = job('evict-idle', {
  summary: 'Removes wallets and tokens from Redis that were not used for an hour; they are loaded again on demand.',
  queue: 'upkeep',
  attempts: 1,
  timeoutMs: 50_000,
  payload: z.object({}),
  result: z.object({ checked: z.int(), evicted: z.int() }),
  dedupe: () => 'all',
  schedule: { everyMs: 60_000, payloads: [{}] },
})
