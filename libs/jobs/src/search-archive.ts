import { z } from 'zod'
import { job } from './job.ts'

export const searchArchive = job('search-archive', {
  summary: 'Looks for the rows of a request id in the archived months of the log.',
  // Any user may begin a search, which reads objects for minutes: no other work waits for it.
  queue: 'archive',
  attempts: 1,
  timeoutMs: 1_800_000,
  payload: z.object({ id: z.string() }),
  result: z.object({ found: z.int() }),
  dedupe: ({ id }) => id,
})
