import { z } from 'zod'

/** Parts that the jobs of all kinds of deliveries share: one at a time, started as soon as something is due. */
export const DELIVERY_JOB = {
  attempts: 1,
  timeoutMs: 90_000,
  payload: z.object({}),
  result: z.object({ sent: z.int(), postponed: z.int(), dead: z.int() }),
  dedupe: () => 'all',
  schedule: { whenDueMs: 1000, payloads: [{}] },
} as const
