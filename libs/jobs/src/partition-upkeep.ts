import { z } from 'zod'
import { job } from './job.ts'

export const partitionUpkeep = job('partition-upkeep', {
  summary: 'Makes log partitions of the coming months and usage key partitions of the coming days; drops key partitions after 35 days.',
  queue: 'upkeep',
  attempts: 3,
  backoffMs: 10_000,
  timeoutMs: 60_000,
  payload: z.object({}),
  result: z.object({ created: z.array(z.string()), dropped: z.array(z.string()) }),
  dedupe: () => 'all',
  schedule: { everyMs: 3_600_000, payloads: [{}] },
})
