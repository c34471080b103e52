import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Quota } from '../units.ts'

/** On failure `message` is `error` and `data` holds the text to show. */
export const AmountAnswer = z.object({ success: z.boolean().optional(), message: z.enum(['success', 'error']), data: z.string() })
export type AmountAnswer = z.infer<typeof AmountAnswer>

/** The console posts `data` as an HTML form to `url`. */
export const PayAnswer = z.object({
  success: z.boolean().optional(),
  message: z.enum(['success', 'error']),
  data: z.union([z.record(z.string(), z.string()), z.string()]),
  url: z.string().optional(),
})
export type PayAnswer = z.infer<typeof PayAnswer>

const amount = { amount: z.number(), top_up_code: z.string().nullish() }
/** The signed notification of the payment gateway. */
const NotifyQuery = z.record(z.string(), z.string())

export const wallet = {
  redeem: endpoint({
    method: 'POST',
    path: '/api/user/topup',
    access: 'user',
    summary: 'Redeems a code; data is the quota added',
    body: z.object({ key: z.string().default('') }),
    data: Quota,
  }),
  amount: endpoint({
    method: 'POST',
    path: '/api/user/amount',
    access: 'user',
    summary: 'The price of an amount',
    body: z.object(amount),
    answer: AmountAnswer,
  }),
  pay: endpoint({
    method: 'POST',
    path: '/api/user/pay',
    access: 'user',
    summary: 'Starts a payment',
    body: z.object({ ...amount, payment_method: z.string().default('') }),
    answer: PayAnswer,
  }),
  /** Answers with the text `success` or `fail`. */
  notify: endpoint({
    method: 'GET',
    path: '/api/user/epay/notify',
    access: 'public',
    summary: 'Notification of the payment gateway',
    query: NotifyQuery,
  }),
  notifyByPost: endpoint({
    method: 'POST',
    path: '/api/user/epay/notify',
    access: 'public',
    summary: 'Notification of the payment gateway, sent by POST',
  }),
}
