import { z } from 'zod'
import { job } from './job.ts'

/** Groups of shards that are posted concurrently; a shard's group is `shard % POSTING_GROUPS`. */
export const POSTING_GROUPS = 4

export const postUsage = job('post-usage', {
  summary: 'Posts usage events from the Redis streams to Postgres, exactly once.',
  queue: 'ledger',
  attempts: 1,
  timeoutMs: 30_000,
  payload: z.object({
    group: z
      .int()
      .min(0)
      .max(POSTING_GROUPS - 1),
  }),
  result: z.object({ posted: z.int(), dropped: z.int(), rejected: z.int(), corrected: z.int(), suspect: z.array(z.int()) }),
  dedupe: ({ group }) => `group-${group}`,
  schedule: { whenDueMs: 1000, payloads: Array.from({ length: POSTING_GROUPS }, (_, group) => ({ group })) },
})
