import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PaymentInfo, PaymentOrder } from '@tollgate/contracts/resources/payments'
import type { PayAnswer } from '@tollgate/contracts/resources/wallet'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'
import {
  EPAY,
  epaySign,
  startPaymentVendors,
  STRIPE,
  stripeEvent,
  stripeSignature,
  type PaymentVendors,
} from '@tollgate/testing/payment-vendors'

describe('online payment', () => {
  let test: TestApp
  let root: Caller
  let vendors: PaymentVendors
  beforeAll(async () => {
    vendors = await startPaymentVendors()
    test = await createTestApp({ UPSTREAM_ALLOW_PRIVATE: '127.0.0.0/8' })
    root = await test.setUp()
  })
  afterAll(async () => {
    await test.stop()
    await vendors.close()
  })
  beforeEach(async () => {
    vendors.failWith = undefined
    await test.deps.db.deleteFrom('payment_orders').execute()
    await set({ ServerAddress: 'https://gate.example', PayAddress: `${vendors.url}/epay/`, EpayId: EPAY.id, EpayKey: EPAY.key })
    await set({ StripeApiSecret: STRIPE.secret, StripeWebhookSecret: STRIPE.webhook, StripeApiAddress: vendors.url })
    await set({ CustomCallbackAddress: '', MinTopUp: '1', Price: '7.3', DisplayInCurrencyEnabled: 'true' })
  })

  const set = async (values: Record<string, string>) => {
    for (const [key, value] of Object.entries(values)) {
      expect((await root('PUT', '/api/option/', { key, value })).body).toMatchObject({ success: true })
    }
  }
  // Answers of these calls, whose shapes the contract declares.
  const pay = async (body: object) => (await root('POST', '/api/user/pay', body)).body as unknown as PayAnswer
  const price = async (body: object) => (await root('POST', '/api/user/amount', body)).body as unknown as PayAnswer
  const orders = async () => ((await root('GET', '/api/payment/')).body.data as { items: PaymentOrder[] }).items
  const credited = async () =>
    (await test.deps.db.selectFrom('users').select('credited').where('username', '=', 'root').executeTakeFirstOrThrow()).credited

  it('answers the form that the payer’s browser posts to the gateway, signed', async () => {
    const answer = await pay({ amount: 10, top_up_code: '', payment_method: 'zfb' })

    const [order] = await orders()
    expect(answer).toMatchObject({ success: true, message: 'success', url: `${vendors.url}/epay/submit.php` })
    const fields = answer.data as Record<string, string> // the form of a success
    expect(fields).toEqual({
      pid: EPAY.id,
      type: 'alipay',
      out_trade_no: order?.trade_no,
      notify_url: 'https://gate.example/api/user/epay/notify',
      return_url: `https://gate.example/topup?order=${order?.trade_no}`,
      name: 'TUC10',
      money: '73.00',
      device: 'pc',
      sign_type: 'MD5',
      sign: epaySign(fields),
    })
    expect(order).toMatchObject({ status: 'pending', money: '73.00', currency: 'cny', amount: 10, quota: 5_000_000, username: 'root' })
  })

  it('opens a Stripe session with the price in its currency', async () => {
    await set({ StripeCurrency: 'EUR', StripeUnitPrice: '0.95' })

    const answer = await pay({ amount: 20, payment_method: 'stripe' })

    const [session] = [...vendors.sessions.values()].slice(-1)
    const [order] = await orders()
    expect(session).toMatchObject({ client_reference_id: order?.trade_no, amount_total: 1900, currency: 'eur' })
    expect(answer).toMatchObject({ message: 'success', data: {}, url: `https://checkout.stripe.example/c/pay/${session?.id}` })
  })

  it('marks an order whose payment is disputed, once per state, and tells root; the balance stays', async () => {
    await test.deps.db.updateTable('users').set({ email: 'root@example.org' }).where('username', '=', 'root').execute()
    await pay({ amount: 20, payment_method: 'stripe' })
    const [order] = await orders()
    vendors.charges.set('ch_1', order?.trade_no ?? '')
    const before = await credited()
    const send = async (type: string, status: string, charge = 'ch_1') => {
      const body = stripeEvent(type, { id: 'dp_1', object: 'dispute', charge, status, reason: 'fraudulent', amount: 1, currency: 'usd' })
      const headers = { 'Stripe-Signature': stripeSignature(body) }
      return (await test.app.request('/api/stripe/webhook', { method: 'POST', headers, body })).status
    }

    for (let times = 0; times < 2; times += 1) expect(await send('charge.dispute.created', 'needs_response')).toBe(200)
    expect(await orders()).toMatchObject([{ dispute: 'open', status: 'pending' }])
    expect(await send('charge.dispute.closed', 'lost')).toBe(200)
    expect(await send('charge.dispute.created', 'needs_response'), 'late').toBe(200)
    expect(await send('charge.dispute.created', 'needs_response', 'ch_of_another_product')).toBe(200)

    expect(await orders()).toMatchObject([{ dispute: 'lost' }])
    expect(await credited()).toBe(before)
    const told = await test.deps.db
      .selectFrom('deliveries')
      .select(['target', 'details'])
      .where('template', '=', 'payment-disputed')
      .execute()
    expect(told).toEqual(
      ['open', 'lost'].map((state) => ({
        target: 'root@example.org',
        details: { trade_no: order?.trade_no, state, reason: 'fraudulent' },
      })),
    )
    vendors.failWith = 500
    expect(await send('charge.dispute.created', 'needs_response'), 'sent again later').toBe(500)
  })

  it.each([
    ['https://hooks.example', 'https://hooks.example/api/user/epay/notify'],
    ['https://hooks.example/', 'https://hooks.example/api/user/epay/notify'],
    ['https://hooks.example/pay/', 'https://hooks.example/pay/api/user/epay/notify'],
    ['https://hooks.example/api/user/epay/notify', 'https://hooks.example/api/user/epay/notify'],
  ])('is notified at the callback address %s', async (address, notify_url) => {
    await set({ CustomCallbackAddress: address })
    expect((await pay({ amount: 1, payment_method: 'wx' })).data).toMatchObject({ notify_url, type: 'wxpay' })
  })

  it.each([
    ['alipay', 'zfb', 'alipay'],
    ['wxpay', 'wx', 'wxpay'],
    ['wechat', 'wx', 'wxpay'],
    ['', 'zfb', 'alipay'],
  ])('takes the method name "%s" of other consoles for its own', async (payment_method, method, type) => {
    expect((await pay({ amount: 1, payment_method })).data).toMatchObject({ type })
    expect(await orders()).toMatchObject([{ method }])
  })

  it('offers no method of a provider that is not set up', async () => {
    await set({ EpayKey: '' })
    expect(await pay({ amount: 20, payment_method: 'alipay' })).toMatchObject({
      message: 'error',
      data: '不支持的支付方式，可用的支付方式：stripe',
    })
  })

  it.each([
    ['a fraction', { amount: 1.5 }, '参数错误'],
    ['a text', { amount: 'ten' }, '参数错误'],
    ['nothing', { amount: null }, '参数错误'],
    ['less than the minimum', { amount: 4 }, '充值数量不能小于 5'],
    ['a negative amount', { amount: -5 }, '充值数量不能小于 5'],
    ['an amount beyond any payment', { amount: 900_000_000 }, '充值数量过大'],
    ['a way to pay that is not set up', { amount: 5, payment_method: 'stripe' }, '不支持的支付方式，可用的支付方式：zfb, wx'],
    ['an unknown way to pay', { amount: 5, payment_method: 'paypal' }, '不支持的支付方式，可用的支付方式：zfb, wx'],
    ['the name of an inherited property', { amount: 5, payment_method: 'constructor' }, '不支持的支付方式，可用的支付方式：zfb, wx'],
  ])('refuses %s with the text in data, and makes no order', async (_what, body, text) => {
    await set({ MinTopUp: '5', StripeApiSecret: '' })
    expect(await pay({ payment_method: 'zfb', ...body })).toEqual({ success: false, message: 'error', data: text })
    expect(await price({ payment_method: 'zfb', ...body })).toEqual({ success: false, message: 'error', data: text })
    expect(await orders()).toEqual([])
  })

  it('refuses prices that are too low, as existing servers do', async () => {
    await set({ Price: '0.01' })
    expect(await price({ amount: 1 })).toMatchObject({ message: 'error', data: '充值金额过低' })
    expect(await price({ amount: 2 })).toMatchObject({ message: 'success', data: '0.02' })
    await set({ Price: '0.001' })
    expect(await pay({ amount: 1, payment_method: 'zfb' })).toMatchObject({ message: 'error', data: '充值金额过低' })
  })

  it('says that payment is not set up', async () => {
    await set({ EpayKey: '', StripeApiSecret: '' })
    expect(await pay({ amount: 1, payment_method: 'zfb' })).toMatchObject({ message: 'error', data: '当前管理员未配置支付信息' })
  })

  it('counts amounts in quota when currency display is off, and loses no fraction', async () => {
    await set({ DisplayInCurrencyEnabled: 'false' })
    expect(await price({ amount: 499_999 })).toMatchObject({ message: 'error', data: '充值数量不能小于 500000' })
    await pay({ amount: 750_000, payment_method: 'zfb' })
    expect((await orders())[0]).toMatchObject({ quota: 750_000, money: '10.95' })
  })

  it('sells so much quota for a unit as the site says', async () => {
    await set({ QuotaPerUnit: '1000000' })
    await pay({ amount: 2, payment_method: 'zfb' })
    await set({ QuotaPerUnit: '500000' })
    expect((await orders())[0]).toMatchObject({ quota: 2_000_000, money: '14.60' })
  })

  it('keeps the order when the provider fails, and books what the provider says later', async () => {
    vendors.failWith = 500
    expect(await pay({ amount: 1, payment_method: 'stripe' })).toMatchObject({ message: 'error', data: '拉起支付失败' })
    expect((await orders())[0]).toMatchObject({ status: 'pending' })
  })

  it('refuses more than twenty unpaid orders at a time', async () => {
    for (let nth = 0; nth < 20; nth += 1) expect(await pay({ amount: 1, payment_method: 'zfb' })).toMatchObject({ message: 'success' })
    expect(await pay({ amount: 1, payment_method: 'zfb' })).toMatchObject({ message: 'error', data: '未完成的订单过多，请稍后再试' })
  })

  it('lists methods, amounts and prices for the payer', async () => {
    await set({ Price: '8', MinTopUp: '3', StripeMinTopUp: '4', 'payment_setting.amount_options': '[5,9]', StripeUnitPrice: '2' })
    await set({ TopupGroupRatio: '{"default": 0.9}', 'payment_setting.amount_discount': '{"100": 0.95}' })
    const info = (await root('GET', '/api/user/topup/info')).body.data as PaymentInfo
    // Existing consoles take the minimum from the site's status.
    expect((await root('GET', '/api/status')).body.data).toMatchObject({ min_topup: 3 })
    expect(info.methods).toMatchObject([
      { method: 'zfb', unit_price: 8, min_amount: 3 },
      { method: 'wx', unit_price: 8, min_amount: 3 },
      { method: 'stripe', unit_price: 2, min_amount: 4 },
    ])
    expect(info).toMatchObject({ amounts: [5, 9], discounts: { '100': 0.95 }, group_ratio: 0.9 })
    expect(await price({ amount: 10, payment_method: 'zfb' })).toMatchObject({ data: '72.00' })
    await set({ StripeMinTopUp: '1', StripeUnitPrice: '1', 'payment_setting.amount_options': '[10,20,50,100,200,500]' })
    await set({ TopupGroupRatio: '{"default": 1}', 'payment_setting.amount_discount': '{}' })
  })

  it.each(['zfb', 'stripe'])('asks the provider about an order (%s) and books what it says, once', async (payment_method) => {
    await pay({ amount: 10, payment_method })
    const [order] = await orders()
    const check = async () => (await root('POST', '/api/payment/check', { trade_no: order?.trade_no })).body.data
    const before = await credited()
    expect(await check()).toMatchObject({ status: 'pending' })

    const paid = { out_trade_no: order?.trade_no ?? '', trade_no: 'E1', money: order?.money ?? '', status: '1' }
    vendors.epayOrders.set(order?.trade_no ?? '', paid)
    for (const session of vendors.sessions.values()) session.payment_status = 'paid'

    expect(await check()).toMatchObject({ status: 'paid' })
    expect(await check()).toMatchObject({ status: 'paid' })
    expect((await credited()) - before).toBe(5_000_000)
    const { data } = (await root('GET', `/api/payment/statements?trade_no=${order?.trade_no}`)).body
    expect(data).toMatchObject([{ outcome: 'credited' }])
    vendors.failWith = 503
    expect((await root('POST', '/api/payment/check', { trade_no: order?.trade_no })).body.message).toBe('无法查询支付网关，请稍后再试')
  })

  it('notes for the operator what was paid beyond the order', async () => {
    await pay({ amount: 10, payment_method: 'zfb' })
    const [order] = await orders()
    const { trade_no = '', money = '' } = order ?? {}
    const before = await credited()
    vendors.epayOrders.set(trade_no, { out_trade_no: trade_no, trade_no: 'E2', money: String(Number(money) + 0.5), status: '1' })

    expect((await root('POST', '/api/payment/check', { trade_no })).body.data).toMatchObject({ status: 'paid' })

    expect((await credited()) - before).toBe(5_000_000)
    expect((await orders()).find((row) => row.trade_no === trade_no)).toMatchObject({
      status: 'paid',
      note: 'overpaid by 0.50 CNY, which is not credited',
    })
  })

  it('lets root complete an order by hand once, with a reason and an audit entry', async () => {
    await pay({ amount: 10, payment_method: 'zfb' })
    const trade_no = (await orders())[0]?.trade_no ?? ''
    const complete = (reason: string) => root('POST', '/api/payment/complete', { trade_no, reason })
    const before = await credited()

    expect((await complete(' ')).body).toMatchObject({ success: false, message: '请填写原因', field: 'reason' })
    expect((await complete('paid by bank transfer')).body.data).toMatchObject({ status: 'paid', note: 'paid by bank transfer' })
    expect((await complete('again')).body).toMatchObject({ success: false, message: '订单已完成' })

    expect((await credited()) - before).toBe(5_000_000)
    const { data } = (await root('GET', '/api/audit/?resource=payment')).body as { data: { items: unknown[] } }
    expect(data.items).toMatchObject([{ action: 'complete', resource_id: trade_no, actor_name: 'root' }])
  })

  it('writes the log row that existing consoles show', async () => {
    await pay({ amount: 10, payment_method: 'zfb' })
    await root('POST', '/api/payment/complete', { trade_no: (await orders())[0]?.trade_no, reason: 'test' })
    const row = await test.deps.db
      .selectFrom('logs')
      .selectAll()
      .where('type', '=', 1)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ username: 'root', quota: 0, content: '使用在线充值成功，充值金额: ＄10.000000，支付金额：73.000000' })
  })
})
