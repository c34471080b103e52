import { z } from 'zod'
import { job } from './job.ts'

/** Shards are posted in this many groups at the same time; shard % groups is the group. */
export const POSTING_GROUPS = 4

export const postUsage = job('post-usage', {
  summary: 'Posts usage events from the Redis streams to Postgres, exactly once (docs: ledger, posting).',
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
  schedule: { everyMs: 1000, payloads: Array.from({ length: POSTING_GROUPS }, (_, group) => ({ group })) },
})
