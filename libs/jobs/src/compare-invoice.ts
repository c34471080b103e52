import { z } from 'zod'
import { job } from './job.ts'

export const compareInvoice = job('compare-invoice', {
  summary: 'Compares an invoice of a vendor with the log and stores the differences with their likely causes.',
  // Long, but it needs Postgres only and leaves the event loop free between pages.
  queue: 'probe',
  attempts: 1,
  timeoutMs: 3_600_000,
  payload: z.object({ id: z.int() }),
  result: z.object({ state: z.enum(['done', 'cancelled', 'stopped']), lines: z.int(), differing: z.int() }),
  dedupe: ({ id }) => String(id),
})
