import { CALL_USAGE } from '@tollgate/contracts/pricing/quote'
import type { Quota } from '@tollgate/contracts/units'
import type { TaskRow } from '@tollgate/db/queries/tasks/tasks'
import { quotaOf } from '@tollgate/domain/pricing/charge'
import type { TaskReport } from '@tollgate/providers/tasks/task-family'

/** Price of a finished task by its vendor's report; undefined: the charge stays. */
export function priceAtEnd({ quote }: Pick<TaskRow, 'quote'>, { state, seconds, tokens }: TaskReport): Quota | undefined {
  if (state !== 'success' || quote === null) return undefined
  if (quote.mode === 'ratio')
    return tokens === undefined ? undefined : quotaOf(quote, { ...CALL_USAGE, text_out: tokens, completion_tokens: tokens })
  return quote.seconds === undefined || seconds === undefined ? undefined : quotaOf(quote, { ...CALL_USAGE, seconds })
}

/** How long the end of a task waits for its charge. */
const POSTING_MS = 300_000

/** True if the price at the end cannot be known yet, because the charge is not in Postgres. */
export const awaitsCharge = (row: Pick<TaskRow, 'is_posted' | 'submit_time'>, report: TaskReport, now: number): boolean =>
  report.state === 'success' &&
  !row.is_posted &&
  (report.seconds !== undefined || report.tokens !== undefined) &&
  now - row.submit_time < POSTING_MS
