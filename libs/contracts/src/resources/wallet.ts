import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { textOf, textOrNull } from '../values/common-schemas.ts'
import { MAX_QUOTA, Quota } from '../units.ts'

/** On failure `message` is `error` and `data` holds the text to show. */
export const AmountAnswer = z.object({ success: z.boolean().optional(), message: z.enum(['success', 'error']), data: z.string() })
export type AmountAnswer = z.infer<typeof AmountAnswer>

/** The console posts `data` as an HTML form to `url`; without fields it opens `url`. */
export const PayAnswer = z.object({
  success: z.boolean().optional(),
  message: z.enum(['success', 'error']),
  data: z.union([z.record(z.string(), z.string()), z.string()]),
  url: z.string().optional(),
})
export type PayAnswer = z.infer<typeof PayAnswer>

/** Existing consoles send what was typed: anything but a whole number is answered in the failure's `data`. */
const amount = {
  amount: z.union([z.number().min(-MAX_QUOTA).max(MAX_QUOTA), textOf(50)]).nullish(),
  top_up_code: textOrNull(200),
  payment_method: textOf(100),
}
/** The signed notification of the payment gateway. */
const MAX_FIELDS = 50
const NotifyQuery = z
  .record(z.string().max(100), z.string().max(2000))
  .refine((fields) => Object.keys(fields).length <= MAX_FIELDS)
  .meta({ maxProperties: MAX_FIELDS })

export const wallet = {
  redeem: endpoint({
    method: 'POST',
    path: '/api/user/topup',
    access: 'user',
    right: 'wallet.write',
    summary: 'Redeems a code; data is the quota added',
    body: z.object({ key: textOf(200) }),
    data: Quota,
  }),
  amount: endpoint({
    method: 'POST',
    path: '/api/user/amount',
    access: 'user',
    right: 'wallet.write',
    summary: 'The price of an amount',
    body: z.object(amount),
    answer: AmountAnswer,
  }),
  pay: endpoint({
    method: 'POST',
    path: '/api/user/pay',
    access: 'user',
    right: 'wallet.write',
    summary: 'Starts a payment',
    body: z.object(amount),
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
