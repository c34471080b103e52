import { AppError } from '@tollgate/contracts/app-error'
import { Quote, Usage } from '@tollgate/contracts/pricing/quote'
import type { LogExplanation } from '@tollgate/contracts/resources/logs'
import { DAY_SECONDS } from '@tollgate/contracts/units'
import { Explanation, StoredExplanation } from '@tollgate/contracts/relay/usage-event'
import type { LogCursor } from '@tollgate/db/log-store'
import { findExplainedLog, findLogTime, type LogRow } from '@tollgate/db/queries/logs/logs'
import { listTaskChanges } from '@tollgate/db/queries/tasks/tasks'
import { chargeOf } from '@tollgate/domain/pricing/charge'
import { nowSeconds, type Deps } from '../../deps.ts'
import { withReadSnapshot } from '../../with-read-snapshot.ts'
import { toLog, toOwnExplanation, toOwnLog } from './present.ts'
import type { Reader } from './service.ts'

const WINDOW_S = 31 * DAY_SECONDS

/**
 * Explains the cost of a request: the stored quote and usage, charged line by line by the function that charged the request, and its
 * attempts. With `owner` only a request of that user, without channels. A link that names no time is found by the id alone.
 */
export async function explainLog(deps: Deps, key: LogCursor, { owner, language }: Reader): Promise<LogExplanation> {
  const created_at = key.created_at > 0 ? key.created_at : await withReadSnapshot(deps, (tx) => findLogTime(tx, key.id, firstOf(deps)))
  const row = created_at === undefined ? undefined : await findExplainedLog(deps.db, { ...key, created_at })
  if (row === undefined || (owner !== undefined && row.user_id !== owner)) throw new AppError('record.missing')
  return await explainRow(deps, row, { owner, language })
}

/** A row with what explains its charge, in the shape of any version. */
type Explainable = LogRow & { readonly usage: unknown; readonly quote: unknown; readonly explanation: unknown; readonly session: string }

/** Explains a row that the reader may read. */
export async function explainRow({ db }: Pick<Deps, 'db'>, row: Explainable, { owner, language }: Reader): Promise<LogExplanation> {
  // Rows of earlier versions may not parse; they are shown without an explanation.
  const quote = Quote.safeParse(row.quote).data ?? null
  const usage = Usage.safeParse(row.usage).data ?? null
  const stored = StoredExplanation.safeParse(row.explanation).data ?? null
  const { ended_by = null, client_status = null, token_charge = null, ...course } = stored ?? {}
  const explanation = stored === null ? null : Explanation.parse(course)
  const task = row.request_id === '' ? [] : await listTaskChanges(db, row.request_id)
  return {
    log: owner === undefined ? toLog(row, language) : toOwnLog(row, language),
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

/** Older rows are found only near their place. */
const firstOf = (deps: Deps): number => nowSeconds(deps) - WINDOW_S
