import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { DELIVERY_STATES } from '../texts/mails.ts'
import { WEBHOOK_EVENTS } from '../texts/webhook-events.ts'
import { UnixSeconds } from '../units.ts'
import { IdParams } from '../values/common-schemas.ts'

/** How many endpoints an installation may have. */
export const MAX_WEBHOOK_ENDPOINTS = 20

export const WebhookEndpointForm = z.object({
  name: z.string().trim().min(1).max(60),
  url: z.string().trim().max(2000),
  events: z.array(z.enum(WEBHOOK_EVENTS)).min(1).max(WEBHOOK_EVENTS.length),
  enabled: z.boolean(),
})
export type WebhookEndpointForm = z.infer<typeof WebhookEndpointForm>

export const WebhookEndpoint = z.object({
  id: z.int(),
  name: z.string(),
  /** With its query: only root sees it. */
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  enabled: z.boolean(),
  created_at: UnixSeconds,
  /** Until then the secret before the last rotation signs too; 0: it does not. */
  old_secret_until: UnixSeconds,
  /** Deliveries that wait, and events that found the queue full. */
  waiting: z.int(),
  dropped: z.int(),
})
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>

/** The secret of https://www.standardwebhooks.com; it is shown this once. */
export const WebhookSecret = z.object({ id: z.int(), secret: z.string() })
export type WebhookSecret = z.infer<typeof WebhookSecret>

export const EventDelivery = z.object({
  id: z.int(),
  /** Header `webhook-id`; the same in each attempt. */
  event_id: z.string(),
  type: z.string(),
  state: z.enum(DELIVERY_STATES),
  attempts: z.int(),
  created_at: UnixSeconds,
  due_at: UnixSeconds,
  ended_at: UnixSeconds,
  error: z.string(),
})
export type EventDelivery = z.infer<typeof EventDelivery>

export const webhookEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/webhook_endpoint/',
    access: 'root',
    summary: 'Webhook endpoints that get events (ours)',
    data: z.array(WebhookEndpoint),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/webhook_endpoint/',
    access: 'root',
    needsProof: true,
    summary: 'Adds a webhook endpoint and shows its secret once (ours)',
    body: WebhookEndpointForm,
    data: WebhookSecret,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/webhook_endpoint/{id}',
    access: 'root',
    needsProof: true,
    summary: 'Changes a webhook endpoint (ours)',
    params: IdParams,
    body: WebhookEndpointForm,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/webhook_endpoint/{id}',
    access: 'root',
    summary: 'Removes a webhook endpoint with its deliveries (ours)',
    params: IdParams,
  }),
  rotate: endpoint({
    method: 'POST',
    path: '/api/webhook_endpoint/{id}/secret',
    access: 'root',
    needsProof: true,
    summary: 'Makes a new secret and shows it once; for a day the old one signs too (ours)',
    params: IdParams,
    data: WebhookSecret,
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/webhook_endpoint/{id}/test',
    access: 'root',
    limit: 'critical',
    summary: 'Queues an event `test` for a webhook endpoint (ours)',
    params: IdParams,
  }),
  deliveries: endpoint({
    method: 'GET',
    path: '/api/webhook_endpoint/{id}/deliveries',
    access: 'root',
    summary: 'The last 100 deliveries of a webhook endpoint, newest first (ours)',
    params: IdParams,
    data: z.array(EventDelivery),
  }),
  sendAgain: endpoint({
    method: 'POST',
    path: '/api/webhook_endpoint/deliveries/{id}/send',
    access: 'root',
    summary: 'Sends a delivery again, with the same id and content (ours)',
    params: IdParams,
  }),
}
