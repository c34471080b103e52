import { AppError } from '@tollgate/contracts/app-error'
import { Quote, Usage } from '@tollgate/contracts/quote'
import type { LogExplanation } from '@tollgate/contracts/resources/logs'
import { Explanation, StoredExplanation } from '@tollgate/contracts/usage-event'
import { findExplainedLog, type LogCursor } from '@tollgate/db/queries/logs'
import { chargeOf } from '@tollgate/domain/pricing/charge'
import type { Deps } from '../../deps.ts'
import { toLog, toOwnExplanation, toOwnLog } from './present.ts'

/**
 * Why a request cost what it cost: the stored quote and usage, charged again line by line by the very function that charged, and
 * the way it took. With `owner` only that user's, without channels.
 */
export async function explainLog(deps: Deps, key: LogCursor, owner: number | undefined): Promise<LogExplanation> {
  const row = await findExplainedLog(deps.db, key)
  if (row === undefined || (owner !== undefined && row.user_id !== owner)) throw new AppError('record.missing')
  // Stored by earlier versions too: what does not parse is shown as absent.
  const quote = Quote.safeParse(row.quote).data ?? null
  const usage = Usage.safeParse(row.usage).data ?? null
  const stored = StoredExplanation.safeParse(row.explanation).data ?? null
  const { ended_by = null, client_status = null, token_charge = null, ...course } = stored ?? {}
  const explanation = stored === null ? null : Explanation.parse(course)
  return {
    log: owner === undefined ? toLog(row) : toOwnLog(row),
    quote,
    usage,
    charge: quote === null || usage === null ? null : chargeOf(quote, usage),
    explanation: explanation === null || owner === undefined ? explanation : toOwnExplanation(explanation),
    ended_by,
    client_status,
    token_charge,
  }
}
