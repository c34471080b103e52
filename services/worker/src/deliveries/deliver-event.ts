import { createHmac } from 'node:crypto'
import { sealedBy, type Sealer } from '@tollgate/config/sealing'
import { answeredWith, DELIVERY_FAILURES } from '@tollgate/contracts/failures/delivery-failures'
import type { UnixSeconds } from '@tollgate/contracts/units'
import type { DeliveryRow } from '@tollgate/db/queries/deliveries/deliveries'
import { findWebhookEndpoint, type WebhookEndpointRow } from '@tollgate/db/queries/deliveries/webhook-endpoints'
import type { Deps } from '../deps.ts'
import { toFailure, type WebhookResult } from './deliver-webhook.ts'

export type EventDeps = Pick<Deps, 'db' | 'secrets' | 'outbound' | 'now'>

const TIMEOUT_MS = 10_000
const MAX_ANSWER = 64 * 1024
/** Stands before the key of a secret, which is base64. */
const PREFIX = 'whsec_'

/**
 * Posts one event as https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md says. Redirects are not
 * followed, and the address guard judges every connection. Every other answer than 2xx is tried again until the event is too old.
 */
export async function deliverEvent(deps: EventDeps, row: DeliveryRow, signal: AbortSignal): Promise<WebhookResult> {
  const endpoint = await findWebhookEndpoint(deps.db, row.endpoint_id ?? 0)
  if (endpoint === undefined) return { kind: 'nothing', reason: '' }
  if (!endpoint.enabled) return { kind: 'refused', reason: DELIVERY_FAILURES.disabled }
  if (!endpoint.url.startsWith('https://')) return { kind: 'refused', reason: DELIVERY_FAILURES['not-https'] }
  const { id = '', body = '' } = row.details
  const timestamp = Math.floor(deps.now() / 1000)
  const signatures = secretsOf(deps.secrets, endpoint, timestamp).map((secret) => sign(secret, `${id}.${timestamp}.${body}`))
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_ANSWER, signal }
  const answer = await deps.outbound.request({ method: 'POST', url: endpoint.url, headers, body, ...limits }).catch(toFailure)
  if ('kind' in answer) return answer
  const isSent = answer.status >= 200 && answer.status < 300
  return isSent ? { kind: 'sent', reason: '' } : { kind: 'later', reason: answeredWith(answer.status) }
}

/** The secret, and for a while after a rotation the one before, so that receivers can change theirs at any time. */
function secretsOf(sealer: Sealer, endpoint: WebhookEndpointRow, now: UnixSeconds): string[] {
  const { id, secret_sealed, old_secret_sealed, old_secret_until } = endpoint
  const sealed = old_secret_until > now ? [secret_sealed, old_secret_sealed] : [secret_sealed]
  return sealed.map((text) => sealer.unseal(text, sealedBy.webhookEndpoint(id)))
}

function sign(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
}
