import { z } from 'zod'
import { job } from './job.ts'

export const reapHolds = job('reap-holds', {
  summary: 'Settles the open holds of relays whose heartbeat stopped, and removes tombstones older than a day.',
  queue: 'ledger',
  attempts: 1,
  timeoutMs: 30_000,
  payload: z.object({}),
  result: z.object({ relays_dead: z.int(), reaped: z.int(), unreadable: z.int(), swept: z.int() }),
  dedupe: () => 'all',
  schedule: { whenDueMs: 5000, payloads: [{}] },
})
