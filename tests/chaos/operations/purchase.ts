import { randomBytes } from 'node:crypto'
import {
  EPAY,
  signed,
  stripeEvent,
  stripeSignature,
  type Fields,
  type PaymentVendors,
  type Session,
} from '@tollgate/testing/payment-vendors'
import type { Random } from '../random.ts'
import { REFUSED, type ExpectedEntry, type Operation, type OperationContext, type OperationResult } from './operation.ts'
import { untilAnswered } from './session.ts'

const QUOTA_PER_UNIT = 500_000

/** A user buys quota. Notifications are forged, doubled, reordered with refunds, or lost, so that only the reconciliation finds the payment. */
export const purchase: Operation = {
  weight: 6,
  run: async (context) => {
    const { operators, random, vendors } = context
    const { session } = random.pick(operators)
    const amount = random.between(1, 3)
    const method = random.chance(0.5) ? 'stripe' : 'zfb'
    const reply = await session.call('post', '/api/user/pay', { amount, top_up_code: '', payment_method: method })
    // An order whose number was not answered is never paid.
    if (reply?.message !== 'success') return REFUSED
    const { data, url } = reply as unknown as { data: Fields; url: string } // the answer of the call, whose shape another test checks
    const payment = method === 'stripe' ? payByStripe(context, url) : payByEpay(context, data)
    if (payment === undefined) throw new Error(`the payment vendor has no session ${url}`)
    for (const forged of payment.forgeries.filter(() => random.chance(0.15))) await forged()
    if (random.chance(0.05)) return REFUSED
    payment.markPaid(vendors)
    const steps = drawSteps(payment, random)
    const order = { trade_no: payment.trade_no, quota: amount * QUOTA_PER_UNIT, money: payment.money, username: session.username }
    if (random.chance(0.03)) return { outcome: 'unanswered', entries: entriesOf(order, [PAID]) }
    return await deliver(payment, { steps, order, random })
  },
}

/** A statement of the provider: paid, or the sum refunded so far. */
type Step = typeof PAID | number
const PAID = 'paid'

type Payment = {
  readonly trade_no: string
  /** In the currency's smallest unit. */
  readonly money: number
  readonly mayRefund: boolean
  /** Notifications that must not be booked. */
  readonly forgeries: readonly (() => Promise<unknown>)[]
  /** The provider's own record, which the reconciliation asks for. */
  markPaid(vendors: PaymentVendors): void
  /** Sends one notification; undefined unless it was accepted. */
  notify(step: Step): Promise<true | undefined>
}

function drawSteps({ mayRefund, money }: Payment, random: Random): Step[] {
  if (!mayRefund || random.chance(0.7)) return [PAID]
  const part = random.between(1, money)
  const refunds = random.chance(0.5) ? [part] : [part, random.between(part, money)]
  const paidAt = random.int(refunds.length + 1)
  return [...refunds.slice(0, paidAt), PAID, ...refunds.slice(paidAt)]
}

type Order = { readonly trade_no: string; readonly quota: number; readonly money: number; readonly username: string }

/** Delivers one statement after the other, each up to three times at once; stops at one that is not accepted in time. */
async function deliver(
  payment: Payment,
  { steps, order, random }: { steps: readonly Step[]; order: Order; random: Random },
): Promise<OperationResult> {
  const delivered: Step[] = []
  for (const step of steps) {
    const copies = random.pick([1, 1, 1, 2, 3])
    const answers = await Promise.all(Array.from({ length: copies }, () => untilAnswered(() => payment.notify(step))))
    delivered.push(step)
    if (!answers.some(({ reply }) => reply)) return { outcome: 'unanswered', entries: entriesOf(order, delivered) }
  }
  return { outcome: 'booked', entries: entriesOf(order, delivered) }
}

/** The wallet's sum by statements in this order: refunds count from the payment on. */
function entriesOf({ trade_no, quota, money, username }: Order, steps: readonly Step[]): ExpectedEntry[] {
  const entries: ExpectedEntry[] = []
  const add = (kind: 'top-up' | 'refund', key: string, amount: number): void =>
    void (amount !== 0 && entries.push({ kind, key, amount, usernames: [username] }))
  const quotaOf = (refunded: number): number => Math.floor((quota * refunded) / money)
  let refunded = 0
  let isPaid = false
  for (const step of steps) {
    const before = isPaid ? refunded : 0
    if (step === PAID) add('top-up', `order:${trade_no}`, quota)
    else refunded = Math.max(refunded, step)
    isPaid ||= step === PAID
    if (isPaid) add('refund', `order:${trade_no}:refunded:${refunded}`, quotaOf(before) - quotaOf(refunded))
  }
  return entries
}

function payByEpay({ url, random }: OperationContext, form: Fields): Payment {
  const { out_trade_no = '', money = '', name = '' } = form
  const paid = { pid: EPAY.id, trade_no: `E${out_trade_no}`, out_trade_no, type: 'alipay', name, money, trade_status: 'TRADE_SUCCESS' }
  const send = async (fields: Fields): Promise<true | undefined> => {
    const query = new URLSearchParams(fields).toString()
    const answer = random.chance(0.5)
      ? await deliverText(`${url}/api/user/epay/notify?${query}`)
      : await deliverText(`${url}/api/user/epay/notify`, { body: query, headers: { 'content-type': 'application/x-www-form-urlencoded' } })
    return answer?.text === 'success' ? true : undefined
  }
  return {
    trade_no: out_trade_no,
    money: Math.round(Number(money) * 100),
    mayRefund: false,
    forgeries: [
      () => send({ ...signed(paid), money: '0.01' }),
      () => send(signed({ ...paid, money: '0.01' })),
      () => send(signed(paid, 'guess')),
    ],
    markPaid: ({ epayOrders }) => void epayOrders.set(out_trade_no, { out_trade_no, trade_no: paid.trade_no, money, status: '1' }),
    notify: () => send(signed(paid)),
  }
}

function payByStripe({ url, vendors }: OperationContext, checkout: string): Payment | undefined {
  const session: Session | undefined = vendors.sessions.get(checkout.split('/').at(-1) ?? '')
  if (session === undefined) return undefined
  const trade_no = session.client_reference_id
  const completed = { ...session, object: 'checkout.session', payment_status: 'paid', status: 'complete' }
  const charge = { id: `ch_${trade_no}`, object: 'charge', currency: session.currency, metadata: { trade_no } }
  const events = new Map<Step, string>()
  const eventOf = (step: Step): string => {
    const body =
      events.get(step) ??
      (step === PAID
        ? stripeEvent('checkout.session.completed', completed)
        : stripeEvent('charge.refunded', { ...charge, amount_refunded: step }))
    events.set(step, body)
    return body
  }
  const send = async (body: string, signature = stripeSignature(body)): Promise<true | undefined> => {
    const headers = { 'stripe-signature': signature, 'content-type': 'application/json' }
    const answer = await deliverText(`${url}/api/stripe/webhook`, { body, headers })
    return answer?.status === 200 ? true : undefined
  }
  const other = { ...completed, id: `cs_${randomBytes(4).toString('hex')}` }
  return {
    trade_no,
    money: session.amount_total,
    mayRefund: true,
    forgeries: [
      () => send(eventOf(PAID), stripeSignature(eventOf(PAID), { secret: 'whsec_guess' })),
      () => send(stripeEvent('checkout.session.completed', { ...completed, amount_total: 1 })),
      () => send(stripeEvent('checkout.session.completed', other)),
    ],
    markPaid: () => {
      session.payment_status = 'paid'
      session.status = 'complete'
    },
    notify: (step) => send(eventOf(step)),
  }
}

/** Undefined: no response. */
async function deliverText(
  url: string,
  post?: { readonly body: string; readonly headers: Record<string, string> },
): Promise<{ readonly status: number; readonly text: string } | undefined> {
  try {
    const answer = await fetch(url, { ...(post === undefined ? {} : { method: 'POST', ...post }), signal: AbortSignal.timeout(10_000) })
    return { status: answer.status, text: await answer.text() }
  } catch {
    // The connection was refused or reset, or the body was cut.
    return undefined
  }
}
