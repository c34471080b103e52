import { z } from 'zod'
import { job } from './job.ts'

export const scheduleChannelRuns = job('schedule-channel-runs', {
  summary:
    'Starts tests and balance reads of all channels at the intervals of options ChannelTestInterval and ChannelBalanceInterval, and notifies root of keys that expire within seven days.',
  queue: 'upkeep',
  attempts: 1,
  timeoutMs: 30_000,
  payload: z.object({}),
  result: z.object({ started: z.int() }),
  dedupe: () => 'all',
  schedule: { everyMs: 30_000, payloads: [{}] },
})
