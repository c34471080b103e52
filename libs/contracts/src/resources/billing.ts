import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

export const Subscription = z.object({
  object: z.literal('billing_subscription'),
  has_payment_method: z.boolean(),
  soft_limit_usd: z.number(),
  hard_limit_usd: z.number(),
  system_hard_limit_usd: z.number(),
  access_until: z.int(),
})
export type Subscription = z.infer<typeof Subscription>

export const BillingUsage = z.object({ object: z.literal('list'), total_usage: z.number() })
export type BillingUsage = z.infer<typeof BillingUsage>

/** The quota of one API key, as new-api answers it: https://www.newapi.ai/en/api/token-usage */
export const TokenUsage = z.object({
  code: z.literal(true),
  message: z.literal('ok'),
  data: z.object({
    object: z.literal('token_usage'),
    name: z.string(),
    /** Used and available. */
    total_granted: z.number(),
    total_used: z.number(),
    total_available: z.number(),
    unlimited_quota: z.boolean(),
    model_limits: z.record(z.string(), z.literal(true)),
    model_limits_enabled: z.boolean(),
    /** Unix seconds; 0: never. */
    expires_at: z.int(),
  }),
})
export type TokenUsage = z.infer<typeof TokenUsage>

const subscription = { method: 'GET', access: 'key', summary: 'Limits of an API key in the OpenAI shape', answer: Subscription } as const
const usage = { method: 'GET', access: 'key', summary: 'Usage of an API key in the OpenAI shape', answer: BillingUsage } as const

export const billing = {
  tokenUsage: endpoint({
    method: 'GET',
    path: '/api/usage/token/',
    access: 'key',
    summary: 'Quota of one API key, sent in the Authorization header, as newer servers answer it (ours)',
    answer: TokenUsage,
  }),
  subscription: endpoint({ ...subscription, path: '/v1/dashboard/billing/subscription' }),
  subscriptionShort: endpoint({ ...subscription, path: '/dashboard/billing/subscription' }),
  usage: endpoint({ ...usage, path: '/v1/dashboard/billing/usage' }),
  usageShort: endpoint({ ...usage, path: '/dashboard/billing/usage' }),
}
