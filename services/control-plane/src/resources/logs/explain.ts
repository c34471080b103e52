import { AppError } from '@tollgate/contracts/app-error'
import { Quote, Usage } from '@tollgate/contracts/quote'
import type { LogExplanation } from '@tollgate/contracts/resources/logs'
import { Explanation, StoredExplanation } from '@tollgate/contracts/usage-event'
import { findExplainedLog, type LogCursor } from '@tollgate/db/queries/logs'
import { listTaskChanges } from '@tollgate/db/queries/tasks'
import { chargeOf } from '@tollgate/domain/pricing/charge'
import type { Deps } from '../../deps.ts'
import { toLog, toOwnExplanation, toOwnLog } from './present.ts'

/**
 * Explains the cost of a request: the stored quote and usage, charged line by line by the function that charged the request, and its
 * attempts. With `owner` only a request of that user, without channels.
 */
export async function explainLog(deps: Deps, key: LogCursor, owner: number | undefined): Promise<LogExplanation> {
  const row = await findExplainedLog(deps.db, key)
  if (row === undefined || (owner !== undefined && row.user_id !== owner)) throw new AppError('record.missing')
  // Rows of earlier versions may not parse; they are shown without an explanation.
  const quote = Quote.safeParse(row.quote).data ?? null
  const usage = Usage.safeParse(row.usage).data ?? null
  const stored = StoredExplanation.safeParse(row.explanation).data ?? null
  const { ended_by = null, client_status = null, token_charge = null, ...course } = stored ?? {}
  const explanation = stored === null ? null : Explanation.parse(course)
  const task = row.request_id === '' ? [] : await listTaskChanges(deps.db, row.request_id)
  return {
    log: owner === undefined ? toLog(row) : toOwnLog(row),
    quote,
    usage,
    charge: quote === null || usage === null ? null : chargeOf(quote, usage),
    explanation: explanation === null || owner === undefined ? explanation : toOwnExplanation(explanation),
    ended_by,
    client_status,
    token_charge,
    session: row.session,
    ...(task.length === 0 ? {} : { task: task.map(({ at, source, state, progress, quota }) => ({ at, source, state, progress, quota })) }),
  }
}
