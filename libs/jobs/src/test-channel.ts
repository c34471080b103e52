import { z } from 'zod'
import { job } from './job.ts'

export const testChannel = job('test-channel', {
  summary: 'Sends one short request to a channel and stores its response time.',
  queue: 'probe',
  attempts: 1,
  timeoutMs: 30_000,
  payload: z.object({ channel_id: z.int().positive(), model: z.string().optional() }),
  result: z.object({ ok: z.boolean(), time_ms: z.number(), message: z.string() }),
  dedupe: ({ channel_id, model }) => `channel-${channel_id}-${model ?? ''}`,
})
