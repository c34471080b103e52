import { z } from 'zod'
import { job } from './job.ts'

/** Groups of shards without POSTING_GROUPS, and of jobs of versions that had no such variable. */
export const DEFAULT_POSTING_GROUPS = 4

export const postUsage = job('post-usage', {
  summary: 'Posts usage events from the Redis streams to Postgres, exactly once.',
  queue: 'ledger',
  attempts: 1,
  timeoutMs: 30_000,
  payload: z.object({
    group: z.int().min(0),
    /** Number of groups of the worker that added the job: the shards of a group are those with `shard % of === group`. */
    of: z.int().min(1).default(DEFAULT_POSTING_GROUPS),
  }),
  result: z.object({ posted: z.int(), dropped: z.int(), rejected: z.int(), corrected: z.int(), suspect: z.array(z.int()) }),
  dedupe: ({ group, of }) => `group-${group}-${of}`,
  schedule: { whenDueMs: 1000, payloads: Array.from({ length: DEFAULT_POSTING_GROUPS }, (_, group) => ({ group })) },
})
