import { z } from 'zod'
import { job } from './job.ts'

export const renewChannelKeys = job('renew-channel-keys', {
  summary: 'Exchanges the keys of channels that expire within the hour, and disables those that their vendor does not renew.',
  queue: 'upkeep',
  attempts: 1,
  timeoutMs: 120_000,
  payload: z.object({}),
  result: z.object({ renewed: z.int(), refused: z.int() }),
  dedupe: () => 'all',
  schedule: { everyMs: 300_000, payloads: [{}] },
})
