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

const subscription = { method: 'GET', access: 'key', summary: 'Limits of an API key in the OpenAI shape', answer: Subscription } as const
const usage = { method: 'GET', access: 'key', summary: 'Usage of an API key in the OpenAI shape', answer: BillingUsage } as const

export const billing = {
  subscription: endpoint({ ...subscription, path: '/v1/dashboard/billing/subscription' }),
  subscriptionShort: endpoint({ ...subscription, path: '/dashboard/billing/subscription' }),
  usage: endpoint({ ...usage, path: '/v1/dashboard/billing/usage' }),
  usageShort: endpoint({ ...usage, path: '/dashboard/billing/usage' }),
}
