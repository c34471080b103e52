import { z } from 'zod'
import { job } from './job.ts'

export const scheduleChannelRuns = job('schedule-channel-runs', {
  summary:
    'Starts tests, balance reads and comparisons of models of all channels at the intervals of options ChannelTestInterval, ChannelBalanceInterval and ChannelModelsInterval, and notifies root of keys that expire within seven days.',
  queue: 'upkeep',
  attempts: 1,
  timeoutMs: 30_000,
  payload: z.object({}),
  result: z.object({ started: z.int() }),
  dedupe: () => 'all',
  schedule: { everyMs: 30_000, payloads: [{}] },
})
