import { createHmac } from 'node:crypto'
import { sealedBy } from '@tollgate/config/sealing'
import { answeredWith, DELIVERY_FAILURES, type DeliveryFailure } from '@tollgate/contracts/failures/delivery-failures'
import type { NoticeName } from '@tollgate/contracts/texts/mails'
import type { DeliveryRow } from '@tollgate/db/queries/deliveries/deliveries'
import { readUserSetting } from '@tollgate/db/queries/deliveries/notifications'
import { findUser } from '@tollgate/db/queries/users/users'
import { renderNotice } from '@tollgate/mail/render-notice'
import { OutboundError, type OutboundFailure } from '@tollgate/outbound/errors'
import type { OutboundAnswer } from '@tollgate/outbound/request'
import type { Owner } from '@tollgate/shares/budget'
import type { Deps } from '../deps.ts'
import { renderTaskCallback } from './render-task-callback.ts'
import { siteOf, type DeliveryOptions } from './options.ts'

export type WebhookDeps = Pick<Deps, 'db' | 'secrets' | 'outbound' | 'userOutbound'>
export type WebhookResult = { readonly kind: 'sent' | 'nothing' | 'later' | 'refused'; readonly reason: string }

const TIMEOUT_MS = 5000
const MAX_ANSWER = 64 * 1024
/** Answers to a request that may succeed later; the other 4xx are final. */
const PASSING: readonly number[] = [408, 409, 423, 425, 429]

/** Posts one notice. Redirects are not followed, and the address guard judges every connection. */
export async function deliverWebhook(
  deps: WebhookDeps,
  options: DeliveryOptions,
  row: DeliveryRow,
  signal: AbortSignal,
): Promise<WebhookResult> {
  if (!row.target.startsWith('https://')) return { kind: 'refused', reason: DELIVERY_FAILURES['not-https'] }
  const user = await findUser(deps.db, row.user_id)
  if (user === undefined) return { kind: 'nothing', reason: '' }
  const body = row.template === 'task' ? await renderTaskCallback(deps.db, row.details['task_id'] ?? '', options) : noticeOf(options, row)
  if (body === undefined) return { kind: 'nothing', reason: '' }
  const sealed = readUserSetting(user.setting).webhook_secret ?? ''
  const secret = sealed === '' ? '' : deps.secrets.unseal(sealed, sealedBy.webhookSecret(user.id))
  const signed = secret === '' ? {} : { 'x-webhook-signature': createHmac('sha256', secret).update(body).digest('hex') }
  const headers = { 'content-type': 'application/json', 'x-webhook-id': String(row.id), ...signed }
  const answer = await post(deps, options, { url: row.target, headers, body, secret, owner: { user: user.id } }, signal).catch(toFailure)
  if ('kind' in answer) return answer
  const { status } = answer
  if (status >= 200 && status < 300) return { kind: 'sent', reason: '' }
  const isFinal = status >= 300 && status < 500 && !PASSING.includes(status)
  return { kind: isFinal ? 'refused' : 'later', reason: answeredWith(status) }
}

/** A user's text of a failure: never an address, and the same of an internal name and of one that does not exist. */
const REASONS: Readonly<Record<OutboundFailure, DeliveryFailure>> = {
  blocked: 'unreachable',
  dns: 'unreachable',
  invalid: 'unreachable',
  connect: 'connection',
  timeout: 'timeout',
  reset: 'closed',
  aborted: 'stopped',
  'too-large': 'too-large',
  malformed: 'malformed',
}

/** A refusal by the address guard and a name that does not exist are final, so that neither can be told from the other. */
export function toFailure(error: unknown): WebhookResult {
  if (!(error instanceof OutboundError)) throw error
  const isMissing = error.cause instanceof Error && 'code' in error.cause && error.cause.code === 'ENOTFOUND'
  return { kind: error.failure === 'blocked' || isMissing ? 'refused' : 'later', reason: DELIVERY_FAILURES[REASONS[error.failure]] }
}

function noticeOf(options: DeliveryOptions, row: DeliveryRow): string {
  return JSON.stringify(
    renderNotice({
      notice: row.template as NoticeName, // notifyUser queues notices only
      language: row.language,
      values: row.details,
      site: siteOf(options),
      timestamp: row.created_at,
    }),
  )
}

type Post = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly secret: string
  readonly owner: Owner
}

/** Directly, or through the operator's proxy of option WorkerUrl, which makes the call itself. */
function post(
  { outbound, userOutbound }: WebhookDeps,
  { WorkerUrl, WorkerValidKey }: DeliveryOptions,
  { url, headers, body, secret, owner }: Post,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_ANSWER, signal }
  if (WorkerUrl === '') return userOutbound.request({ method: 'POST', url, headers, body, owner, ...limits })
  const bearer = secret === '' ? {} : { authorization: `Bearer ${secret}` }
  const wrapped = JSON.stringify({ url, key: WorkerValidKey, method: 'POST', headers: { ...headers, ...bearer }, body })
  return outbound.request({
    method: 'POST',
    url: `${WorkerUrl}/`,
    headers: { 'content-type': 'application/json' },
    body: wrapped,
    ...limits,
  })
}
