import { createPaymentOrder } from '@tollgate/db/queries/wallet/payments'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../test/test-app.ts'
import { EPAY, epaySign, signed, stripeEvent, stripeSignature, STRIPE, type Fields } from '@tollgate/testing/payment-vendors'

const QUOTA = 500_000
const NOTIFY = '/api/user/epay/notify'

type Order = { readonly trade_no: string; readonly provider: 'epay' | 'stripe'; readonly session: string }
type Attack = { readonly name: string; readonly send: (order: Order) => Promise<unknown>; readonly credits: boolean }

describe('notifications of payments', () => {
  let test: TestApp
  let user_id = 0
  let orders = 0
  beforeAll(async () => {
    test = await createTestApp()
    const root = await test.setUp()
    const { id } = await test.deps.db.selectFrom('users').select('id').where('username', '=', 'root').executeTakeFirstOrThrow()
    user_id = id
    const settings = { ServerAddress: 'https://gate.example', PayAddress: 'https://pay.example', EpayId: EPAY.id, EpayKey: EPAY.key }
    const stripe = { StripeApiSecret: STRIPE.secret, StripeWebhookSecret: STRIPE.webhook, StripeCurrency: 'cny' }
    for (const [key, value] of Object.entries({ ...settings, ...stripe })) {
      expect((await root('PUT', '/api/option/', { key, value })).body).toMatchObject({ success: true })
    }
  })
  afterAll(() => test.stop())

  const credited = async (): Promise<number> => {
    const row = await test.deps.db.selectFrom('users').select('credited').where('id', '=', user_id).executeTakeFirstOrThrow()
    return row.credited
  }
  const order = async (provider: Order['provider']): Promise<Order> => {
    orders += 1
    const made: Order = { trade_no: `Torder${orders}`, provider, session: `cs_${orders}` }
    const fixed = { amount: 1, quota: QUOTA, currency: 'cny', places: 2, money: 730, created_at: 1, check_at: 1 }
    const own = { trade_no: made.trade_no, user_id, provider, method: provider, provider_ref: provider === 'stripe' ? made.session : '' }
    await createPaymentOrder(test.deps.db, { ...fixed, ...own })
    return made
  }
  const query = (fields: Fields): string => new URLSearchParams(fields).toString()
  const get = async (fields: Fields) => (await test.app.request(`${NOTIFY}?${query(fields)}`)).text()
  const post = async (fields: Fields) => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    return await (await test.app.request(NOTIFY, { method: 'POST', headers, body: query(fields) })).text()
  }
  const webhook = async (body: string, signature: string | undefined = stripeSignature(body)) => {
    const headers = signature === '' ? {} : { 'Stripe-Signature': signature }
    return (await test.app.request('/api/stripe/webhook', { method: 'POST', headers, body })).status
  }
  const note = ({ trade_no }: Order): Fields => ({
    pid: EPAY.id,
    trade_no: `E${trade_no}`,
    out_trade_no: trade_no,
    type: 'alipay',
    name: 'TUC1',
    money: '7.30',
    trade_status: 'TRADE_SUCCESS',
  })
  const session = ({ trade_no, session: id }: Order, change: object = {}) => ({
    id,
    object: 'checkout.session',
    client_reference_id: trade_no,
    amount_total: 730,
    currency: 'cny',
    payment_status: 'paid',
    status: 'complete',
    ...change,
  })
  const charge = ({ trade_no }: Order, change: object = {}) => ({
    object: 'charge',
    currency: 'cny',
    amount_refunded: 365,
    metadata: { trade_no },
    ...change,
  })

  const forgedEpay = (): Attack[] => {
    const fields = Object.keys(note({ trade_no: '', provider: 'epay', session: '' }))
    const edits: [string, (name: string, value: string) => string | undefined][] = [
      ['changed', (_, value) => `${value}1`],
      ['removed', () => undefined],
      ['emptied', () => ''],
    ]
    const edited = fields.flatMap((name) =>
      edits.map(([what, edit]) => ({
        name: `${name} ${what} after signing`,
        fields: (of: Order) => {
          const all = signed(note(of))
          const value = edit(name, all[name] ?? '')
          return Object.fromEntries(Object.entries({ ...all, [name]: value }).filter(([, one]) => one !== undefined)) as Fields // undefined is filtered
        },
      })),
    )
    const added = ['money2', 'param', 'uid'].map((name) => ({
      name: `${name} added after signing`,
      fields: (of: Order) => ({ ...signed(note(of)), [name]: 'x' }),
    }))
    const signatures: [string, (sign: string, of: Order) => string][] = [
      ['none', () => ''],
      ['upper case', (sign) => sign.toUpperCase()],
      ['of another key', (_, of) => epaySign(note(of), 'guess')],
      ['of an empty key', (_, of) => epaySign(note(of), '')],
      ['of the account as key', (_, of) => epaySign(note(of), EPAY.id)],
      ['of another order', (_, of) => epaySign({ ...note(of), out_trade_no: 'Tother' })],
      ['truncated', (sign) => sign.slice(0, 31)],
      ['with a trailing space', (sign) => `${sign} `],
      ['repeated', (sign) => `${sign}${sign}`],
      ['the word undefined', () => 'undefined'],
    ]
    const resigned = signatures.map(([what, sign]) => ({
      name: `signature: ${what}`,
      fields: (of: Order) => ({ ...note(of), sign_type: 'MD5', sign: sign(epaySign(note(of)), of) }),
    }))
    return [...edited, ...added, ...resigned].flatMap(({ name, fields: make }) => [
      { name: `epay GET, ${name}`, send: (of) => get(make(of)), credits: false },
      { name: `epay POST, ${name}`, send: (of) => post(make(of)), credits: false },
    ])
  }

  const wrongEpay = (): Attack[] => {
    const changes: [string, Fields][] = [
      ...['0', '0.00', '-7.30', '7.29', '7.300001', '7.3e0', '７.30', ' 7.30', '+7.30', '7,30', 'NaN', '', 'Infinity', '0x7', '1e999'].map(
        (money): [string, Fields] => [`money “${money}”`, { money }],
      ),
      ...['1002', '', ' 1001', '01001', '1001,1002'].map((pid): [string, Fields] => [`account “${pid}”`, { pid }]),
      ...['', 'WAIT_BUYER_PAY', 'TRADE_CLOSED', 'TRADE_FINISHED', 'trade_success', 'TRADE_SUCCESS '].map(
        (trade_status): [string, Fields] => [`status “${trade_status}”`, { trade_status }],
      ),
      ...['', 'Tunknown', "' or 1=1 --", 'T'.repeat(5000), '%', '\u0000'].map((out_trade_no): [string, Fields] => [
        `order “${out_trade_no.slice(0, 20)}”`,
        { out_trade_no },
      ]),
    ]
    return changes.flatMap(([name, change]): Attack[] => [
      { name: `epay GET, signed, ${name}`, send: (of) => get(signed({ ...note(of), ...change })), credits: false },
      { name: `epay POST, signed, ${name}`, send: (of) => post(signed({ ...note(of), ...change })), credits: false },
    ])
  }

  const forgedStripe = (): Attack[] => {
    const paid = (of: Order) => stripeEvent('checkout.session.completed', session(of))
    const now = () => Math.floor(Date.now() / 1000)
    const signatures: [string, (body: string) => string][] = [
      ['none', () => ''],
      ['of another secret', (body) => stripeSignature(body, { secret: 'whsec_guess' })],
      ['of the API secret', (body) => stripeSignature(body, { secret: STRIPE.secret })],
      ['of an empty secret', (body) => stripeSignature(body, { secret: '' })],
      ['six minutes old', (body) => stripeSignature(body, { at: now() - 360 })],
      ['with another time', (body) => stripeSignature(body).replace(/t=\d+/, `t=${now() + 1}`)],
      ['of scheme v0', (body) => stripeSignature(body).replace('v1=', 'v0=')],
      ['without a time', (body) => stripeSignature(body).replace(/t=\d+,/, '')],
      ['truncated', (body) => stripeSignature(body).slice(0, -1)],
      ['of another body', () => stripeSignature('{}')],
      ['not a signature', () => 'v1'],
    ]
    return [
      ...signatures.map(([what, sign]): Attack => ({
        name: `stripe, signature ${what}`,
        send: async (of) => {
          const body = paid(of)
          expect(await webhook(body, sign(body))).toBe(400)
        },
        credits: false,
      })),
      ...[(body: string) => `${body} `, (body: string) => body.replace('730', '7300'), (body: string) => body.replace('paid', 'Paid')].map(
        (edit, nth): Attack => ({
          name: `stripe, body changed after signing ${nth}`,
          send: (of) => {
            const body = paid(of)
            return webhook(edit(body), stripeSignature(body))
          },
          credits: false,
        }),
      ),
    ]
  }

  const wrongStripe = (): Attack[] => {
    const changes: [string, object][] = [
      ...[0, -730, 729, 731, 73_000, 7.3, null, '730'].map((amount_total): [string, object] => [
        `amount ${String(amount_total)}`,
        { amount_total },
      ]),
      ...['usd', 'CNY', '', null].map((currency): [string, object] => [`currency ${String(currency)}`, { currency }]),
      ...['unpaid', 'no_payment_required', '', null].map((payment_status): [string, object] => [
        `status ${String(payment_status)}`,
        { payment_status },
      ]),
      ...['', 'Tunknown', null, "' or 1=1 --"].map((id): [string, object] => [`order ${String(id)}`, { client_reference_id: id }]),
      ['another session', { id: 'cs_of_somebody_else' }],
    ]
    const types = [
      'payment_intent.succeeded',
      'charge.succeeded',
      'invoice.paid',
      'checkout.session.expired',
      'checkout.session.async_payment_failed',
      '',
      'charge.dispute.created',
    ]
    const refunds = [-1, 731, 7.5, null, '365'].map((amount_refunded): [string, object] => [
      `refund of ${String(amount_refunded)}`,
      { amount_refunded },
    ])
    const send =
      (type: string, object: (of: Order) => object, more: object = {}) =>
      (of: Order) =>
        webhook(stripeEvent(type, object(of), more))
    return [
      ...changes.flatMap(([name, change]): Attack[] =>
        ['checkout.session.completed', 'checkout.session.async_payment_succeeded'].map((type) => ({
          name: `${type}, signed, ${name}`,
          send: send(type, (of) => session(of, change)),
          credits: false,
        })),
      ),
      ...types.map((type): Attack => ({ name: `stripe, signed, event “${type}”`, send: send(type, session), credits: false })),
      {
        name: 'stripe, signed, of a connected account',
        send: send('checkout.session.completed', session, { account: 'acct_1' }),
        credits: false,
      },
      ...refunds.map(([name, change]): Attack => ({
        name: `stripe, signed, ${name}`,
        send: send('charge.refunded', (of) => charge(of, change)),
        credits: false,
      })),
      { name: 'stripe, not JSON', send: () => webhook('{'), credits: false },
      { name: 'stripe, empty', send: () => webhook(''), credits: false },
    ]
  }

  const genuine = (): Attack[] => [
    { name: 'epay by GET', send: (of) => get(signed(note(of))), credits: true },
    { name: 'epay by POST', send: (of) => post(signed(note(of))), credits: true },
    { name: 'epay with more places', send: (of) => get(signed({ ...note(of), money: '7.300000' })), credits: true },
    { name: 'epay, one cent more', send: (of) => get(signed({ ...note(of), money: '7.31' })), credits: true },
    { name: 'epay, a hundred times as much', send: (of) => get(signed({ ...note(of), money: '730' })), credits: true },
    { name: 'epay by another way of payment', send: (of) => get(signed({ ...note(of), type: 'wxpay' })), credits: true },
    { name: 'stripe at once', send: (of) => webhook(stripeEvent('checkout.session.completed', session(of))), credits: true },
    { name: 'stripe later', send: (of) => webhook(stripeEvent('checkout.session.async_payment_succeeded', session(of))), credits: true },
  ]

  it('credit nothing that is forged or that contradicts the order, and everything that is genuine, exactly once', async () => {
    const attacks = [...forgedEpay(), ...wrongEpay(), ...forgedStripe(), ...wrongStripe(), ...genuine()]
    expect(attacks.length).toBeGreaterThan(200)
    const wrong: string[] = []
    for (const { name, send, credits } of attacks) {
      const made = await order(/^stripe|^checkout/.test(name) ? 'stripe' : 'epay')
      const before = await credited()
      await send(made)
      await send(made)
      if ((await credited()) - before !== (credits ? QUOTA : 0)) wrong.push(name)
    }
    expect(wrong).toEqual([])
  })

  it('credit an order of the other provider never', async () => {
    const [epay, stripe] = [await order('epay'), await order('stripe')]
    const before = await credited()

    await get(signed(note(stripe)))
    await webhook(stripeEvent('checkout.session.completed', session(epay)))

    expect(await credited()).toBe(before)
  })

  it('credit once when fifty arrive at the same time', async () => {
    const made = await order('epay')
    const before = await credited()

    const answers = await Promise.all(Array.from({ length: 50 }, () => get(signed(note(made)))))

    expect(new Set(answers)).toEqual(new Set(['success']))
    expect((await credited()) - before).toBe(QUOTA)
  })

  it('end with the same balance in every order of payment, refunds, failure and expiry', async () => {
    const events: Record<string, (of: Order) => string> = {
      paid: (of) => stripeEvent('checkout.session.completed', session(of)),
      half: (of) => stripeEvent('charge.refunded', charge(of)),
      whole: (of) => stripeEvent('charge.refunded', charge(of, { amount_refunded: 730 })),
      expired: (of) => stripeEvent('checkout.session.expired', session(of, { payment_status: 'unpaid' })),
    }
    const names = Object.keys(events)
    const sequences = names.flatMap((a) => names.flatMap((b) => names.map((c) => [a, b, c])))
    for (const sequence of sequences) {
      const made = await order('stripe')
      const before = await credited()
      for (const name of sequence) expect(await webhook(events[name]?.(made) ?? '')).toBe(200)
      const left = sequence.includes('whole') ? 0 : sequence.includes('half') ? QUOTA / 2 : QUOTA
      expect([sequence, (await credited()) - before]).toEqual([sequence, sequence.includes('paid') ? left : 0])
    }
  })

  it('leave the sum of the wallet entries equal to the balance', async () => {
    const { sum } = await test.deps.db
      .selectFrom('wallet_entries')
      .select((eb) => eb.fn.sum<number>('amount').as('sum'))
      .where('user_id', '=', user_id)
      .executeTakeFirstOrThrow()
    expect(Number(sum)).toBe(await credited())
  })
})
