import { z } from 'zod'
import { job } from './job.ts'

export const retestChannels = job('retest-channels', {
  summary: 'Tests channels and keys that were disabled automatically, and enables those that answer again, where the option allows it.',
  queue: 'probe',
  attempts: 1,
  timeoutMs: 60_000,
  payload: z.object({}),
  result: z.object({ tested: z.int(), enabled: z.int() }),
  dedupe: () => 'all',
  schedule: { whenDueMs: 5000, payloads: [{}] },
})
