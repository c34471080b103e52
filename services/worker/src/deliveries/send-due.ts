import { setTimeout as wait } from 'node:timers/promises'
import {
  claimDeliveries,
  endDelivery,
  postponeDelivery,
  removeDelivery,
  removeEndedDeliveries,
  returnDelivery,
  type DeliveryRow,
} from '@tollgate/db/queries/deliveries/deliveries'
import { removeExpiredCodes } from '@tollgate/db/queries/users/mail-codes'
import type { DeliveryChannel } from '@tollgate/contracts/texts/mails'
import type { JobResult } from '@tollgate/jobs/jobs'
import type { Owner } from '@tollgate/shares/budget'
import { visible } from '@tollgate/telemetry/visible'
import type { Deps } from '../deps.ts'
import { nextAttempt } from './backoff.ts'
import { deliverMail, type MailDeps } from './deliver-mail.ts'
import { deliverEvent, type EventDeps } from './deliver-event.ts'
import { deliverWebhook, type WebhookDeps } from './deliver-webhook.ts'
import { readDeliveryOptions, type DeliveryOptions } from './options.ts'
import type { Senders } from '../senders/senders.ts'
import { MailError } from './smtp.ts'

export type DeliveryDeps = MailDeps & WebhookDeps & EventDeps & { readonly log: Pick<Deps['log'], 'warn'>; readonly senders: Senders }
type Totals = JobResult<'send-mails'>

/** Mails that wait without a try after a failure of the server. */
const POSTPONED_AT_ONCE = 40
/** Longer than the job's timeout: a delivery is never sent twice at the same time. */
const LEASE_S = 180
const RUN_MS = 60_000
/** While others are being sent, a run looks this often for what became due. */
const LOOK_MS = 200
const KEPT_S = 30 * 86_400
const MAX_ERROR = 300

/**
 * Sends all mails, webhooks or events that are due, as many at once as the senders of the process allow: those of each user in turn, and
 * while a host is silent, those of others. After a failure of the mail server itself the next mails wait without another try.
 */
export async function sendDue(deps: DeliveryDeps, channel: DeliveryChannel, signal: AbortSignal): Promise<Totals> {
  const totals = { sent: 0, postponed: 0, dead: 0 }
  const run: Run = { deps, options: await readDeliveryOptions(deps), state: {}, totals, signal }
  const startedAt = performance.now()
  const open = new Set<Promise<void>>()
  while (!signal.aborted && run.state.serverFailure === undefined && performance.now() - startedAt < RUN_MS) {
    // A sender that ends during the claim may have left rows of its user, which the claim passed over.
    const isIdle = open.size === 0
    const taken = await startDue(run, channel, open)
    if (taken === 0 && isIdle) break
    if (taken === 0 && open.size > 0) await Promise.race([...open, wait(LOOK_MS)])
  }
  await Promise.all(open)
  if (run.state.serverFailure !== undefined) await postponeMails(run)
  return totals
}

/** Deletes what ended a month ago, and codes that expired. */
export async function tidyDeliveries({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  const seconds = Math.floor(now() / 1000)
  await removeEndedDeliveries(db, seconds - KEPT_S)
  await removeExpiredCodes(db, seconds)
}

type Run = {
  readonly deps: DeliveryDeps
  readonly options: DeliveryOptions
  readonly state: { serverFailure?: string }
  readonly totals: Totals
  readonly signal: AbortSignal
}

/** Takes what free senders can send and starts it; returns how many rows were taken. */
async function startDue(run: Run, channel: DeliveryChannel, open: Set<Promise<void>>): Promise<number> {
  const { deps } = run
  const { [channel]: senders, rests } = deps.senders
  const limit = senders.limits.total - senders.used
  if (limit === 0) return 0
  const now = nowSeconds(deps)
  const except = senders.usersAtLimit()
  const rows = await claimDeliveries(deps.db, { channel, now, limit, leaseSeconds: LEASE_S, except })
  for (const row of rows) {
    const rest = channel === 'mail' ? 0 : rests.until(targetOf(row))
    const sender = rest > now ? 'resting' : senders.tryTake(ownerOf(row))
    if (typeof sender === 'string') {
      await returnDelivery(deps.db, row, Math.max(rest, now + 1))
      continue
    }
    const sent = deliverOne(run, row).finally(() => {
      sender.release()
      open.delete(sent)
    })
    open.add(sent)
  }
  return rows.length
}

async function postponeMails(run: Run): Promise<void> {
  const { deps, state } = run
  const rows = await claimDeliveries(deps.db, {
    channel: 'mail',
    now: nowSeconds(deps),
    limit: POSTPONED_AT_ONCE,
    leaseSeconds: LEASE_S,
    except: [],
  })
  for (const row of rows) await deliverOne(run, row)
  deps.log.warn({ reason: state.serverFailure, count: rows.length }, 'Mail server failed; its mails wait')
}

const ownerOf = ({ user_id, channel, target }: DeliveryRow): Owner => ({
  user: user_id === 0 ? undefined : user_id,
  address: channel === 'mail' ? undefined : hostOf(target),
})
const hostOf = (target: string): string => URL.parse(target)?.host ?? ''
const targetOf = ({ user_id, target }: DeliveryRow): string => `${user_id} ${hostOf(target)}`

type Outcome = { readonly kind: 'sent' | 'nothing' | 'later' | 'refused'; readonly reason: string }

async function deliverOne(run: Run, row: DeliveryRow): Promise<void> {
  const { deps, totals, signal } = run
  const outcome = await tryToDeliver(run, row)
  // An aborted attempt says nothing about the receiver: the lease ends and another worker continues.
  if (signal.aborted && outcome.kind !== 'sent') return
  const now = nowSeconds(deps)
  if (row.channel !== 'mail') noteTarget(deps.senders, row, { outcome, now })
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

function noteTarget({ rests }: Senders, row: DeliveryRow, { outcome, now }: { readonly outcome: Outcome; readonly now: number }): void {
  if (outcome.kind === 'later') rests.failed(targetOf(row), now)
  else rests.answered(targetOf(row))
}

async function tryToDeliver({ deps, options, state, signal }: Run, row: DeliveryRow): Promise<Outcome> {
  if (state.serverFailure !== undefined) return { kind: 'later', reason: state.serverFailure }
  try {
    if (row.channel === 'event') return await deliverEvent(deps, row, signal)
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
