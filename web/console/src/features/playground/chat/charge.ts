import { logs } from '@tollgate/contracts/resources/logs'
import { call } from '../../../lib/api.ts'
import type { AnswerCharge } from './messages.ts'

/** The worker writes log entries about once a second. */
const LOOK_AFTER_MS = [700, 1_000, 1_500, 2_500, 4_000, 8_000, 15_000]

/** Charge of a request, as soon as its log entry is there; undefined where it does not come, or the reader has gone. */
export async function findCharge(request_id: string, signal: AbortSignal): Promise<AnswerCharge | undefined> {
  for (const delay of LOOK_AFTER_MS) {
    await new Promise((resolve) => setTimeout(resolve, delay))
    if (signal.aborted) return undefined
    try {
      const { items } = await call(logs.listOwn, { query: { p: 1, page_size: 1, request_id }, signal })
      const entry = items[0]
      if (entry !== undefined) return { quota: entry.quota, id: entry.id, created_at: entry.created_at }
    } catch {
      // The cost is an addition to the answer: the next look, or none.
    }
  }
  return undefined
}
