import { z } from 'zod'
import { job } from './job.ts'

export const applyPriceChanges = job('apply-price-changes', {
  summary: 'Applies scheduled price changes whose time has come, each exactly once, with audit entries and a new price version.',
  // Jobs of `upkeep` may wait for each other for a minute.
  queue: 'ledger',
  attempts: 1,
  timeoutMs: 30_000,
  payload: z.object({}),
  result: z.object({ applied: z.int(), failed: z.int() }),
  dedupe: () => 'all',
  schedule: { whenDueMs: 5000, payloads: [{}] },
})
