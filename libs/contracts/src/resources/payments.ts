import { z } from 'zod'
import { PageQuery, pageOf, queryText, textOf } from '../values/common-schemas.ts'
import { endpoint } from '../endpoint.ts'
import { PAYMENT_DISPUTES, PAYMENT_PROVIDERS, PAYMENT_STATUSES } from '../enums.ts'
import { Quota, UnixSeconds } from '../units.ts'

export const PaymentMethod = z.object({
  /** Value for `payment_method` of `POST /api/user/pay`. */
  method: z.string(),
  provider: z.enum(PAYMENT_PROVIDERS),
  currency: z.string(),
  /** Price of one US dollar of quota for this user, before a discount. */
  unit_price: z.number(),
  min_amount: z.number(),
})
export type PaymentMethod = z.infer<typeof PaymentMethod>

/** Offers of the wallet. Amounts are US dollars, or quota when currency display is off. */
export const PaymentInfo = z.object({
  methods: z.array(PaymentMethod),
  amounts: z.array(z.number()),
  /** Factors of the price by amount. */
  discounts: z.record(z.string(), z.number()),
  /** Factor of the user's group. */
  group_ratio: z.number(),
})
export type PaymentInfo = z.infer<typeof PaymentInfo>

export const PaymentOrder = z.object({
  id: z.int(),
  trade_no: z.string(),
  user_id: z.int(),
  username: z.string(),
  provider: z.enum(PAYMENT_PROVIDERS),
  method: z.string(),
  amount: z.number(),
  quota: Quota,
  currency: z.string(),
  /** Decimal text in the currency. */
  money: z.string(),
  refunded: z.string(),
  status: z.enum(PAYMENT_STATUSES),
  /** Empty: no dispute. A dispute never changes the balance by itself. */
  dispute: z.enum([...PAYMENT_DISPUTES, '']),
  /** Why an operator completed it, or what the provider said that contradicts the order. */
  note: z.string(),
  created_at: UnixSeconds,
  paid_at: UnixSeconds,
})
export type PaymentOrder = z.infer<typeof PaymentOrder>

/** A verified statement of the provider about an order. */
export const PaymentStatement = z.object({
  event_id: z.string(),
  kind: z.string(),
  /** `credited`, `refunded`, `closed`, `known`, `noted`, or `refused` when it contradicts the order. */
  outcome: z.string(),
  detail: z.string(),
  received: z.int(),
  first_at: UnixSeconds,
  last_at: UnixSeconds,
})
export type PaymentStatement = z.infer<typeof PaymentStatement>

const OrderQuery = PageQuery.extend({ status: queryText(20), keyword: queryText(100) })
const TradeNo = z.object({ trade_no: textOf(64) })

export const payments = {
  info: endpoint({
    method: 'GET',
    path: '/api/user/topup/info',
    access: 'user',
    right: 'wallet.read',
    summary: 'Payment methods, offered amounts and prices for the caller (ours)',
    data: PaymentInfo,
  }),
  own: endpoint({
    method: 'GET',
    path: '/api/user/topup/orders',
    access: 'user',
    right: 'wallet.read',
    summary: 'Own payment orders, newest first (ours)',
    query: OrderQuery,
    data: pageOf(PaymentOrder),
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/payment/',
    access: 'admin',
    summary: 'Payment orders of all users, newest first (ours)',
    query: OrderQuery,
    data: pageOf(PaymentOrder),
  }),
  statements: endpoint({
    method: 'GET',
    path: '/api/payment/statements',
    access: 'admin',
    summary: 'What the provider has said about an order (ours)',
    query: z.object({ trade_no: queryText(64) }),
    data: z.array(PaymentStatement),
  }),
  check: endpoint({
    method: 'POST',
    path: '/api/payment/check',
    access: 'admin',
    summary: 'Asks the provider about an order and books what it says (ours)',
    body: TradeNo,
    data: PaymentOrder,
  }),
  complete: endpoint({
    method: 'POST',
    path: '/api/payment/complete',
    access: 'root',
    needsProof: true,
    summary: 'Credits an order that the provider does not confirm, with a reason (ours)',
    body: TradeNo.extend({ reason: textOf(500) }),
    data: PaymentOrder,
  }),
  /** Reads the raw body: its signature covers every byte. */
  stripeWebhook: endpoint({
    method: 'POST',
    path: '/api/stripe/webhook',
    access: 'public',
    summary: 'Events of Stripe, signed (ours)',
  }),
}
