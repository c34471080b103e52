import { createOutbound } from '@tollgate/outbound/outbound'
import { startPaymentVendors, STRIPE, stripeEvent, stripeSignature, type PaymentVendors } from '@tollgate/testing/payment-vendors'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PaymentProvider, ReadNotification } from '../provider.ts'
import { createStripe } from './stripe.ts'

const SETTINGS = {
  StripeApiSecret: STRIPE.secret as string,
  StripeWebhookSecret: STRIPE.webhook as string,
  StripeCurrency: 'usd',
  StripeUnitPrice: 1,
  StripeMinTopUp: 1,
  StripeApiAddress: 'https://api.stripe.com',
  SystemName: 'Gate',
}
const URLS = { notify_url: 'https://gate.example/n', return_url: 'https://gate.example/topup?order=T1' }
const NOW_S = Math.floor(Date.now() / 1000)

const session = (change: object = {}) => ({
  id: 'cs_1',
  object: 'checkout.session',
  client_reference_id: 'T1',
  amount_total: 730,
  currency: 'usd',
  payment_status: 'paid',
  status: 'complete',
  ...change,
})
const charge = (change: object = {}) => ({
  id: 'ch_1',
  object: 'charge',
  currency: 'usd',
  amount_refunded: 365,
  metadata: { trade_no: 'T1' },
  ...change,
})
const dispute = (status: string) => ({ id: 'dp_1', object: 'dispute', charge: 'ch_1', status, reason: 'fraudulent' })

describe('Stripe', () => {
  const outbound = createOutbound()
  let vendors: PaymentVendors
  let provider: PaymentProvider
  beforeAll(async () => {
    vendors = await startPaymentVendors()
    provider = made()
  })
  afterAll(async () => {
    await outbound.close()
    await vendors.close()
  })
  beforeEach(() => {
    vendors.failWith = undefined
    vendors.sessions.clear()
    vendors.charges.set('ch_1', 'T1')
  })

  const made = (change: Partial<typeof SETTINGS> = {}): PaymentProvider => {
    const stripe = createStripe({ ...SETTINGS, StripeApiAddress: vendors.url, ...change }, outbound)
    if (stripe === undefined) throw new Error('the settings are complete')
    return stripe
  }
  const read = (body: string, signature: string | undefined = stripeSignature(body)): Promise<ReadNotification> =>
    provider.read({ fields: {}, body, header: (name) => (name === 'stripe-signature' ? signature : undefined) })

  it.each([{ StripeApiSecret: '' }, { StripeWebhookSecret: '' }, { StripeCurrency: 'kwd' }])('is not offered with %j', (change) => {
    expect(createStripe({ ...SETTINGS, ...change }, outbound)).toBeUndefined()
  })

  it.each([
    ['usd', 2],
    ['jpy', 0],
  ])('counts %s with %i decimal places', (StripeCurrency, places) => {
    expect(made({ StripeCurrency }).places).toBe(places)
  })

  it('opens one session for an order, however often it is started', async () => {
    const order = { trade_no: 'T1', method: 'stripe', amount: 10, money: 7305 }

    const first = await provider.start(order, URLS)
    const again = await provider.start(order, URLS)

    expect([...vendors.sessions.values()]).toMatchObject([
      { client_reference_id: 'T1', metadata: { trade_no: 'T1' }, amount_total: 7305, currency: 'usd', id: first.provider_ref },
    ])
    expect(first).toEqual({
      url: `https://checkout.stripe.example/c/pay/${first.provider_ref}`,
      fields: {},
      provider_ref: first.provider_ref,
    })
    expect(again).toEqual(first)
  })

  it('fails to start when Stripe refuses the key or an order', async () => {
    const order = { trade_no: 'T2', method: 'stripe', amount: 10, money: 7305 }

    await expect(made({ StripeApiSecret: 'sk_wrong' }).start(order, URLS)).rejects.toThrow('Invalid API Key')
    vendors.failWith = 402
    await expect(provider.start(order, URLS)).rejects.toThrow('scripted')
  })

  it.each<[string, string, object, object]>([
    ['a payment', 'checkout.session.completed', session(), { kind: 'paid', money: 730, currency: 'usd' }],
    ['a later payment', 'checkout.session.async_payment_succeeded', session(), { kind: 'paid', money: 730, currency: 'usd' }],
    [
      'a payment without a sum',
      'checkout.session.completed',
      session({ amount_total: null, currency: null }),
      { kind: 'paid', money: -1, currency: '' },
    ],
    ['a failed payment', 'checkout.session.async_payment_failed', session({ payment_status: 'unpaid' }), { kind: 'failed' }],
    ['an expired session', 'checkout.session.expired', session({ payment_status: 'unpaid', status: 'expired' }), { kind: 'expired' }],
    ['a refund', 'charge.refunded', charge(), { kind: 'refunded', total: 365, currency: 'usd' }],
    ['a dispute', 'charge.dispute.created', dispute('needs_response'), { kind: 'disputed', state: 'open', reason: 'fraudulent' }],
    ['a lost dispute', 'charge.dispute.closed', dispute('lost'), { kind: 'disputed', state: 'lost', reason: 'fraudulent' }],
    ['a won dispute', 'charge.dispute.closed', dispute('won'), { kind: 'disputed', state: 'won', reason: 'fraudulent' }],
    ['a withdrawn inquiry', 'charge.dispute.closed', dispute('warning_closed'), { kind: 'disputed', state: 'won', reason: 'fraudulent' }],
  ])('reads %s of an order', async (_case, type, object, event) => {
    expect(await read(stripeEvent(type, object, { id: 'evt_1' }))).toMatchObject({
      kind: 'statement',
      statement: { trade_no: 'T1', event_id: 'evt_1', event },
    })
  })

  it.each<[string, string]>([
    ['of a kind without money', stripeEvent('customer.created', { id: 'cus_1', object: 'customer' })],
    ['of a session that is not paid yet', stripeEvent('checkout.session.completed', session({ payment_status: 'unpaid' }))],
    ['of a session of another product', stripeEvent('checkout.session.completed', session({ client_reference_id: null }))],
    ['of a charge of another product', stripeEvent('charge.refunded', charge({ metadata: {} }))],
    ['of a connected account', stripeEvent('checkout.session.completed', session(), { account: 'acct_1' })],
  ])('ignores a genuine event %s', async (_case, body) => {
    expect(await read(body)).toEqual({ kind: 'ignored' })
  })

  const BODY = stripeEvent('checkout.session.completed', session())
  it.each<[string, string, string]>([
    ['without a signature', BODY, ''],
    ['that was changed', BODY.replace('730', '731'), stripeSignature(BODY)],
    ['signed with another secret', BODY, stripeSignature(BODY, { secret: 'whsec_other' })],
    ['signed with the API key', BODY, stripeSignature(BODY, { secret: STRIPE.secret })],
    ['that was signed six minutes ago', BODY, stripeSignature(BODY, { at: NOW_S - 360 })],
    ['with a time that the signature does not cover', BODY, stripeSignature(BODY, { at: NOW_S - 360 }).replace(/^t=\d+/, `t=${NOW_S}`)],
    ['with a signature of an old scheme only', BODY, stripeSignature(BODY).replace('v1=', 'v0=')],
    ['that is no JSON', '{', stripeSignature('{')],
    ['that is empty', '', stripeSignature('')],
  ])('takes an event %s for forged', async (_case, body, signature) => {
    expect(await read(body, signature)).toEqual({ kind: 'forged' })
  })

  it('accepts an event that is signed with the old and the new secret while they are rotated', async () => {
    const [, other] = stripeSignature(BODY, { secret: 'whsec_old' }).split(',')
    const [time, own] = stripeSignature(BODY).split(',')

    expect(await read(BODY, `${time},${other},${own}`)).toMatchObject({ kind: 'statement' })
  })

  it('fails when the charge of a dispute cannot be read, so that Stripe sends the event again', async () => {
    vendors.failWith = 400

    await expect(read(stripeEvent('charge.dispute.created', dispute('needs_response')))).rejects.toThrow('scripted')
  })

  const paid = { trade_no: 'T1', event_id: 'asked:cs_1:paid', provider_ref: 'cs_1', event: { kind: 'paid', money: 730, currency: 'usd' } }
  const refunded = { kind: 'refunded', total: 365, currency: 'usd' }
  it.each<[string, object, unknown]>([
    ['paid', session({ payment_intent: { latest_charge: charge({ amount_refunded: 0 }) } }), { kind: 'statements', statements: [paid] }],
    [
      'paid and in part refunded',
      session({ payment_intent: { latest_charge: charge() } }),
      { kind: 'statements', statements: [paid, { ...paid, event_id: 'asked:cs_1:refunded:365', event: refunded }] },
    ],
    ['paid by a charge that Stripe does not name', session({ payment_intent: null }), { kind: 'statements', statements: [paid] }],
    [
      'expired',
      session({ payment_status: 'unpaid', status: 'expired' }),
      { kind: 'statements', statements: [{ ...paid, event_id: 'asked:cs_1:expired', event: { kind: 'expired' } }] },
    ],
    ['open', session({ payment_status: 'unpaid', status: 'open' }), { kind: 'unpaid' }],
    ['another order', session({ client_reference_id: 'T2' }), { kind: 'unknown' }],
  ])('finds a session that is %s', async (_case, stored, report) => {
    vendors.sessions.set('cs_1', stored as never) // as Stripe answers, with fields that the type leaves out

    expect(await provider.find({ trade_no: 'T1', provider_ref: 'cs_1' })).toEqual(report)
  })

  it('knows nothing of an order without a session, and fails for a session that Stripe does not have', async () => {
    expect(await provider.find({ trade_no: 'T1', provider_ref: '' })).toEqual({ kind: 'unknown' })
    await expect(provider.find({ trade_no: 'T1', provider_ref: 'cs_none' })).rejects.toThrow('No such checkout.session')
  })
})
