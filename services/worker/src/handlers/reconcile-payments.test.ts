import { randomBytes } from 'node:crypto'
import { createSealer } from '@tollgate/config/sealing'
import { createPaymentOrder } from '@tollgate/db/queries/wallet/payments'
import { createOutbound } from '@tollgate/outbound/outbound'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { EPAY, startPaymentVendors, STRIPE, type PaymentVendors } from '@tollgate/testing/payment-vendors'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { reconcilePayments } from './reconcile-payments.ts'

const START = 1_800_000_000
const DAY = 24 * 3600

describe('reconciliation of payments', () => {
  let database: TestDatabase
  let vendors: PaymentVendors
  let clock = START
  const outbound = createOutbound()
  const secrets = createSealer(`t:${randomBytes(32).toString('base64url')}`)
  const quiet = (): void => undefined
  beforeAll(async () => {
    database = await createTestDatabase()
    vendors = await startPaymentVendors()
    await database.db.insertInto('users').values({ id: 1, shard: 1, username: 'payer', created_at: 1 }).execute()
    const options = {
      PayAddress: `${vendors.url}/epay`,
      EpayId: EPAY.id,
      EpayKey: EPAY.key,
      StripeApiSecret: STRIPE.secret,
      StripeWebhookSecret: STRIPE.webhook,
      StripeApiAddress: vendors.url,
    }
    const rows = Object.entries(options).map(([key, value]) => ({ key, value, updated_at: 1 }))
    await database.db.insertInto('options').values(rows).execute()
  })
  afterAll(async () => {
    await outbound.close()
    await vendors.close()
    await database.drop()
  })
  beforeEach(async () => {
    clock = START
    vendors.failWith = undefined
    await database.db.deleteFrom('payment_orders').execute()
  })

  const order = async (trade_no: string, provider: 'epay' | 'stripe', provider_ref = '') => {
    const fixed = {
      user_id: 1,
      method: provider,
      amount: 1,
      quota: 500_000,
      currency: provider === 'epay' ? 'cny' : 'usd',
      places: 2,
      money: 730,
    }
    await createPaymentOrder(database.db, { ...fixed, trade_no, provider, provider_ref, created_at: START, check_at: START + 90 })
  }
  const run = (at: number) => {
    clock = at
    const handle = reconcilePayments({ db: database.db, secrets, outbound, now: () => clock * 1000, log: { info: quiet, warn: quiet } })
    return handle({}, { signal: new AbortController().signal, attempt: 1 })
  }
  const status = async (trade_no: string) =>
    (await database.db.selectFrom('payment_orders').select('status').where('trade_no', '=', trade_no).executeTakeFirstOrThrow()).status
  const credited = async () =>
    (await database.db.selectFrom('users').select('credited').where('id', '=', 1).executeTakeFirstOrThrow()).credited

  it('credits orders whose notification was lost, once', async () => {
    await order('Tlost1', 'epay')
    await order('Tlost2', 'stripe', 'cs_1')
    vendors.epayOrders.set('Tlost1', { out_trade_no: 'Tlost1', trade_no: 'E1', money: '7.30', status: '1' })
    vendors.sessions.set('cs_1', {
      id: 'cs_1',
      client_reference_id: 'Tlost2',
      amount_total: 730,
      currency: 'usd',
      payment_status: 'paid',
      status: 'complete',
    })
    const before = await credited()

    expect(await run(START + 60)).toEqual({ checked: 0, paid: 0, closed: 0, failed: 0 })
    expect(await run(START + 90)).toEqual({ checked: 2, paid: 2, closed: 0, failed: 0 })
    expect(await run(START + 4000)).toMatchObject({ checked: 0 })

    expect([await status('Tlost1'), await status('Tlost2')]).toEqual(['paid', 'paid'])
    expect((await credited()) - before).toBe(1_000_000)
  })

  it('credits nothing when the provider reports another amount', async () => {
    await order('Twrong', 'epay')
    vendors.epayOrders.set('Twrong', { out_trade_no: 'Twrong', trade_no: 'E2', money: '0.01', status: '1' })
    const before = await credited()
    await run(START + 90)
    expect([await status('Twrong'), (await credited()) - before]).toEqual(['pending', 0])
  })

  it('asks less and less often, also while the provider is down, and closes the order after two days', async () => {
    await order('Tslow', 'epay')
    vendors.failWith = 503
    expect(await run(START + 90)).toMatchObject({ checked: 1, failed: 1 })
    vendors.failWith = undefined
    expect(await run(START + 100)).toMatchObject({ checked: 0 })
    expect(await run(START + 180)).toMatchObject({ checked: 1, closed: 0 })
    expect(await run(START + 300)).toMatchObject({ checked: 0 })
    expect(await run(START + 2 * DAY)).toMatchObject({ checked: 1, closed: 1 })
    expect(await status('Tslow')).toBe('expired')
  })
})
