import type { PaymentProviderId } from '@tollgate/contracts/enums'
import { createPaymentOrder, findPaymentOrder, listPaymentEvents } from '@tollgate/db/queries/wallet/payments'
import type { PaymentEvent } from '@tollgate/domain/payments/order'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { applyStatement, type Booked } from './apply-statement.ts'

const NOW = 1_800_000_000
const QUOTA = 500_000
const PAID: PaymentEvent = { kind: 'paid', money: 730, currency: 'cny' }
const refund = (total: number): PaymentEvent => ({ kind: 'refunded', total, currency: 'cny' })

describe('a verified statement', () => {
  let database: TestDatabase
  let events = 0
  beforeAll(async () => {
    database = await createTestDatabase()
    const root = { id: 1, shard: 1, username: 'root', role: 100, email: 'root@example.org', created_at: 1 }
    await database.db
      .insertInto('users')
      .values([root, { id: 2, shard: 2, username: 'payer', created_at: 1 }].map((user) => ({ role: 1, email: '', ...user })))
      .execute()
  })
  afterAll(() => database.drop())
  beforeEach(async () => {
    for (const table of ['payment_orders', 'payment_events', 'wallet_entries', 'deliveries', 'logs'] as const) {
      await database.db.deleteFrom(table).execute()
    }
    await database.db.updateTable('users').set({ credited: 0 }).execute()
    await order('T1')
  })

  const order = (trade_no: string, change: { readonly provider?: PaymentProviderId; readonly provider_ref?: string } = {}) =>
    createPaymentOrder(database.db, {
      trade_no,
      user_id: 2,
      provider: 'epay',
      method: 'zfb',
      provider_ref: '',
      amount: 1,
      quota: QUOTA,
      currency: 'cny',
      places: 2,
      money: 730,
      created_at: NOW - 60,
      check_at: NOW,
      ...change,
    })
  type Said = {
    readonly event_id?: string
    readonly provider_ref?: string
    readonly trade_no?: string
    readonly provider?: PaymentProviderId
  }
  const apply = (event: PaymentEvent, said: Said = {}): Promise<Booked> => {
    events += 1
    const { provider = 'epay', trade_no = 'T1', provider_ref = '', event_id = `e${events}` } = said
    const statement = { trade_no, provider_ref, event_id, event }
    return applyStatement(database.db, { provider, statement, now: NOW, formatQuota: (quota) => `${quota} quota` })
  }
  const credited = async () =>
    (await database.db.selectFrom('users').select('credited').where('id', '=', 2).executeTakeFirstOrThrow()).credited
  const entries = () => database.db.selectFrom('wallet_entries').select(['kind', 'amount', 'reference', 'note']).orderBy('id').execute()
  const logs = () => database.db.selectFrom('logs').select(['type', 'content']).orderBy('id').execute()

  it('of a payment credits the wallet, closes the order and writes the log row that users read', async () => {
    expect(await apply(PAID, { provider_ref: 'E1' })).toEqual({ kind: 'booked', user_id: 2, outcome: 'credited' })

    expect(await credited()).toBe(QUOTA)
    expect(await entries()).toEqual([{ kind: 'top-up', amount: QUOTA, reference: 'order:T1', note: '7.30 CNY' }])
    expect(await findPaymentOrder(database.db, 'T1')).toMatchObject({ status: 'paid', provider_ref: 'E1', paid_at: NOW, username: 'payer' })
    expect(await logs()).toEqual([{ type: 1, content: '使用在线充值成功，充值金额: 500000 quota，支付金额：7.300000' }])
  })

  it('credits once, however often and in parallel it arrives, and counts its arrivals', async () => {
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => apply(PAID, { event_id: 'same' })))

    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['booked', ...Array.from({ length: 7 }, () => 'known')])
    expect(await credited()).toBe(QUOTA)
    expect(await entries()).toHaveLength(1)
    expect(await listPaymentEvents(database.db, 'T1')).toMatchObject([{ event_id: 'same', received: 8, outcome: 'credited' }])
  })

  it.each<[string, PaymentEvent, string]>([
    ['a smaller sum', { ...PAID, money: 729 }, 'money: {"kind":"paid","money":729,"currency":"cny"}'],
    ['an unreadable sum', { ...PAID, money: -1 }, 'money: {"kind":"paid","money":-1,"currency":"cny"}'],
    ['another currency', { ...PAID, currency: 'usd' }, 'currency: {"kind":"paid","money":730,"currency":"usd"}'],
    ['a refund of more than the sum', refund(731), 'money: {"kind":"refunded","total":731,"currency":"cny"}'],
  ])('with %s credits nothing and is left for an operator', async (_case, event, note) => {
    expect(await apply(event)).toEqual({ kind: 'refused' })

    expect(await entries()).toEqual([])
    expect(await findPaymentOrder(database.db, 'T1')).toMatchObject({ status: 'pending', note, paid_at: 0 })
    expect(await listPaymentEvents(database.db, 'T1')).toMatchObject([{ outcome: 'refused', detail: note }])
  })

  it('that is right still credits after a wrong one', async () => {
    await apply({ ...PAID, money: 1 })

    expect(await apply(PAID)).toMatchObject({ outcome: 'credited' })
    expect(await credited()).toBe(QUOTA)
  })

  it('of an unknown order, or of an order of another provider, stores nothing', async () => {
    expect(await apply(PAID, { trade_no: 'Tstranger' })).toEqual({ kind: 'unknown-order' })
    expect(await apply(PAID, { provider: 'stripe' })).toEqual({ kind: 'unknown-order' })

    expect(await database.db.selectFrom('payment_events').selectAll().execute()).toEqual([])
    expect(await credited()).toBe(0)
  })

  it('of another Stripe session than the order’s is refused', async () => {
    await order('T2', { provider: 'stripe', provider_ref: 'cs_own' })
    const said = { trade_no: 'T2', provider: 'stripe' as const }

    expect(await apply(PAID, { ...said, provider_ref: 'cs_other' })).toEqual({ kind: 'refused' })
    expect(await credited()).toBe(0)
    expect(await apply(PAID, { ...said, provider_ref: 'cs_own' })).toMatchObject({ outcome: 'credited' })
  })

  it('of more money than was due credits the order’s quota and notes the rest', async () => {
    await apply({ ...PAID, money: 1000, may_exceed: true })

    expect(await credited()).toBe(QUOTA)
    expect(await findPaymentOrder(database.db, 'T1')).toMatchObject({
      status: 'paid',
      note: 'overpaid by 2.70 CNY, which is not credited',
    })
  })

  it('of refunds takes back their share, and all of it in the end, late and repeated ones included', async () => {
    await apply(PAID)
    expect(await apply(refund(365))).toMatchObject({ outcome: 'refunded' })
    expect(await credited()).toBe(QUOTA / 2)
    await apply(refund(730))
    expect(await apply(refund(365))).toEqual({ kind: 'known' })

    expect(await credited()).toBe(0)
    expect(await entries()).toMatchObject([
      { kind: 'top-up', amount: QUOTA, note: '7.30 CNY' },
      { kind: 'refund', amount: -QUOTA / 2, reference: 'order:T1:refunded:365', note: '3.65 CNY' },
      { kind: 'refund', amount: -QUOTA / 2, reference: 'order:T1:refunded:730', note: '3.65 CNY' },
    ])
    expect(await findPaymentOrder(database.db, 'T1')).toMatchObject({ status: 'refunded', refunded: 730 })
    expect((await logs()).map(({ type }) => type)).toEqual([1, 4, 4])
  })

  it('of a refund that arrives before its payment is taken back with the payment', async () => {
    expect(await apply(refund(365))).toMatchObject({ outcome: 'noted' })
    expect(await entries()).toEqual([])

    await apply(PAID)

    expect(await credited()).toBe(QUOTA / 2)
  })

  it('of money for an expired order credits it', async () => {
    expect(await apply({ kind: 'expired' })).toMatchObject({ outcome: 'closed' })
    await apply(PAID)

    expect(await credited()).toBe(QUOTA)
    expect(await apply({ kind: 'failed' }), 'late').toEqual({ kind: 'known' })
    expect(await findPaymentOrder(database.db, 'T1')).toMatchObject({ status: 'paid' })
  })

  it('of a dispute marks the order, notifies root once per state and leaves the balance', async () => {
    await apply(PAID)
    const dispute = (state: 'open' | 'lost'): PaymentEvent => ({ kind: 'disputed', state, reason: 'fraudulent' })

    for (const state of ['open', 'open', 'lost', 'open'] as const) await apply(dispute(state))

    expect(await credited()).toBe(QUOTA)
    expect(await findPaymentOrder(database.db, 'T1')).toMatchObject({ status: 'paid', dispute: 'lost' })
    const mails = await database.db.selectFrom('deliveries').select(['target', 'details']).orderBy('id').execute()
    expect(mails).toEqual(
      ['open', 'lost'].map((state) => ({ target: 'root@example.org', details: { trade_no: 'T1', state, reason: 'fraudulent' } })),
    )
  })
})
