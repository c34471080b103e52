import { z } from 'zod'
import { TestCapability } from '@tollgate/contracts/channels/channel-tests'
import { optionalFault } from '@tollgate/contracts/failures/fault'
import { job } from './job.ts'

export const testChannel = job('test-channel', {
  summary: 'Sends one short request to a channel and stores its result.',
  queue: 'probe',
  attempts: 1,
  timeoutMs: 100_000,
  payload: z.object({
    channel_id: z.int().positive(),
    model: z.string().optional(),
    capability: TestCapability.optional(),
    key_id: z.string().optional(),
  }),
  result: z.object({
    ok: z.boolean(),
    status: z.int(),
    time_ms: z.number(),
    message: z.string(),
    fault: optionalFault,
    key: z.string().optional(),
  }),
  dedupe: ({ channel_id, model, capability, key_id }) => `channel-${channel_id}-${capability ?? 'auto'}-${model ?? ''}-${key_id ?? ''}`,
})
