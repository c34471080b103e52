import {
  claimDeliveries,
  endDelivery,
  postponeDelivery,
  removeDelivery,
  removeEndedDeliveries,
  type DeliveryRow,
} from '@tollgate/db/queries/deliveries'
import { removeExpiredCodes } from '@tollgate/db/queries/mail-codes'
import type { JobResult } from '@tollgate/jobs/jobs'
import { visible } from '@tollgate/telemetry/visible'
import type { Deps } from '../deps.ts'
import { nextAttempt } from './backoff.ts'
import { deliverMail, type MailDeps } from './deliver-mail.ts'
import { deliverWebhook, type WebhookDeps } from './deliver-webhook.ts'
import { readDeliveryOptions, type DeliveryOptions } from './options.ts'
import { MailError } from './smtp.ts'

export type DeliveryDeps = MailDeps & WebhookDeps & { readonly log: Pick<Deps['log'], 'warn'> }
type Totals = JobResult<'send-deliveries'>

const BATCH = 40
const AT_ONCE = 4
/** Longer than the job's timeout: a delivery is never sent twice at the same time. */
const LEASE_S = 180
const RUN_MS = 60_000
const KEPT_S = 30 * 86_400
const MAX_ERROR = 300

/**
 * Sends everything that is due. Mails and webhooks are taken separately, so that slow receivers of one do not delay the other. After a
 * failure of the mail server itself the mails that were taken wait without another try.
 */
export async function sendDue(deps: DeliveryDeps, signal: AbortSignal): Promise<Totals> {
  const totals = { sent: 0, postponed: 0, dead: 0 }
  const options = await readDeliveryOptions(deps)
  await Promise.all([drain(deps, options, 'mail', totals, signal), drain(deps, options, 'webhook', totals, signal)])
  return totals
}

/** Deletes what ended a month ago, and codes that expired. */
export async function tidyDeliveries({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  const seconds = Math.floor(now() / 1000)
  await removeEndedDeliveries(db, seconds - KEPT_S)
  await removeExpiredCodes(db, seconds)
}

async function drain(
  deps: DeliveryDeps,
  options: DeliveryOptions,
  channel: DeliveryRow['channel'],
  totals: Totals,
  signal: AbortSignal,
): Promise<void> {
  const startedAt = performance.now()
  let rows: DeliveryRow[]
  do {
    rows = await claimDeliveries(deps.db, { channel, now: nowSeconds(deps), limit: BATCH, leaseSeconds: LEASE_S })
    const waiting = [...rows]
    const state: { serverFailure?: string } = {}
    const turn = async (): Promise<void> => {
      for (let row = waiting.shift(); row !== undefined && !signal.aborted; row = waiting.shift()) {
        await deliverOne({ deps, options, state, totals, signal }, row)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, turn))
    if (state.serverFailure !== undefined) {
      deps.log.warn({ reason: state.serverFailure, count: rows.length }, 'Mail server failed; its mails wait')
      return
    }
  } while (rows.length === BATCH && !signal.aborted && performance.now() - startedAt < RUN_MS)
}

type Run = {
  readonly deps: DeliveryDeps
  readonly options: DeliveryOptions
  readonly state: { serverFailure?: string }
  readonly totals: Totals
  readonly signal: AbortSignal
}
type Outcome = { readonly kind: 'sent' | 'nothing' | 'later' | 'refused'; readonly reason: string }

async function deliverOne(run: Run, row: DeliveryRow): Promise<void> {
  const { deps, totals, signal } = run
  const outcome = await tryToDeliver(run, row)
  // An aborted attempt says nothing about the receiver: the lease ends and another worker continues.
  if (signal.aborted && outcome.kind !== 'sent') return
  const now = nowSeconds(deps)
  if (outcome.kind === 'nothing') return await removeDelivery(deps.db, row.id)
  if (outcome.kind === 'sent') {
    totals.sent += 1
    return await endDelivery(deps.db, row, { state: 'sent', error: '', now })
  }
  const error = visible(outcome.reason, MAX_ERROR)
  const due_at = outcome.kind === 'refused' ? undefined : nextAttempt(row, now)
  if (due_at !== undefined) {
    totals.postponed += 1
    return await postponeDelivery(deps.db, row, { due_at, error })
  }
  totals.dead += 1
  deps.log.warn({ reason: error, user_id: row.user_id, attempts: row.attempts }, 'Delivery given up')
  await endDelivery(deps.db, row, { state: 'dead', error, now })
}

async function tryToDeliver({ deps, options, state, signal }: Run, row: DeliveryRow): Promise<Outcome> {
  if (state.serverFailure !== undefined) return { kind: 'later', reason: state.serverFailure }
  try {
    if (row.channel === 'webhook') return await deliverWebhook(deps, options, row, signal)
    return { kind: await deliverMail(deps, options, row, signal), reason: '' }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if (!(error instanceof MailError)) return { kind: 'later', reason }
    if (error.failure === 'server' && !signal.aborted) state.serverFailure = reason
    return { kind: error.failure === 'refused' ? 'refused' : 'later', reason }
  }
}

const nowSeconds = ({ now }: Pick<Deps, 'now'>): number => Math.floor(now() / 1000)
