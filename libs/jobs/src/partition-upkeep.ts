import { z } from 'zod'
import { job } from './job.ts'

export const partitionUpkeep = job('partition-upkeep', {
  summary:
    'Creates log partitions for the coming months, and for earlier ones that an import brought; creates usage key partitions for the coming days; drops usage key partitions after 35 days, and ended deliveries after 30.',
  queue: 'upkeep',
  attempts: 3,
  backoffMs: 10_000,
  timeoutMs: 1_800_000,
  payload: z.object({}),
  result: z.object({ created: z.array(z.string()), dropped: z.array(z.string()) }),
  dedupe: () => 'all',
  schedule: { everyMs: 3_600_000, payloads: [{}] },
})
