import { z } from 'zod'
import { BALANCE_PROBLEMS } from '@tollgate/contracts/failures/balance-fault'
import { job } from './job.ts'

export const updateBalance = job('update-balance', {
  summary: 'Reads the balance of a channel from its vendor and stores it.',
  queue: 'probe',
  attempts: 1,
  timeoutMs: 40_000,
  payload: z.object({ channel_id: z.int().positive() }),
  result: z.object({
    balance: z.number().optional(),
    /** Why there is none. */
    problem: z.enum(BALANCE_PROBLEMS).optional(),
    detail: z.string(),
    status: z.int(),
    change: z.enum(['disabled', 'enabled', 'key-disabled']).optional(),
  }),
  dedupe: ({ channel_id }) => `channel-${channel_id}`,
})
