import { z } from 'zod'
import { job } from './job.ts'

export const reconcilePayments = job('reconcile-payments', {
  summary: 'Asks payment providers about pending orders, books what they report, and closes orders that stay unpaid for two days.',
  queue: 'probe',
  attempts: 1,
  timeoutMs: 120_000,
  payload: z.object({}),
  result: z.object({ checked: z.int(), paid: z.int(), closed: z.int(), failed: z.int() }),
  dedupe: () => 'all',
  schedule: { whenDueMs: 5000, payloads: [{}] },
})
