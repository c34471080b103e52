import { createOutbound } from '@tollgate/outbound/outbound'
import { EPAY, signed, startPaymentVendors, type Fields, type PaymentVendors } from '@tollgate/testing/payment-vendors'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PaymentProvider, ReadNotification } from '../provider.ts'
import { createEpay } from './epay.ts'
import { signFields } from './signature.ts'

const SETTINGS = { PayAddress: 'https://pay.example/', EpayId: EPAY.id, EpayKey: EPAY.key, Price: 7.3, MinTopUp: 1 }
const NOTE: Fields = {
  pid: EPAY.id,
  trade_no: 'E2026',
  out_trade_no: 'T1',
  type: 'alipay',
  name: 'TUC1',
  money: '7.30',
  trade_status: 'TRADE_SUCCESS',
}
const PAID = { kind: 'paid', money: 730, currency: 'cny', may_exceed: true }

describe('epay', () => {
  const outbound = createOutbound()
  let vendors: PaymentVendors
  let provider: PaymentProvider
  beforeAll(async () => {
    vendors = await startPaymentVendors()
    provider = made({ PayAddress: `${vendors.url}/epay` })
  })
  afterAll(async () => {
    await outbound.close()
    await vendors.close()
  })
  beforeEach(() => {
    vendors.failWith = undefined
    vendors.epayOrders.clear()
  })

  const made = (change: Partial<typeof SETTINGS> = {}): PaymentProvider => {
    const epay = createEpay({ ...SETTINGS, ...change }, outbound)
    if (epay === undefined) throw new Error('the settings are complete')
    return epay
  }
  const read = (fields: Fields): Promise<ReadNotification> => provider.read({ fields, body: '', header: () => undefined })

  it.each(['PayAddress', 'EpayId', 'EpayKey'])('is not offered without %s', (name) => {
    expect(createEpay({ ...SETTINGS, [name]: '' }, outbound)).toBeUndefined()
  })

  // MD5 of the texts in the comments, by md5sum.
  it.each<[string, Fields, string]>([
    // a=1&b=2key
    ['fields by name, with the key at the end', { b: '2', a: '1' }, '1c123a5dc12e90deeaa1cd94681f0d88'],
    // B=2&a=1key
    ['capitals first, as bytes order them', { a: '1', B: '2' }, 'b30bbe4b0f9dd2ec9a74695ee6df0d79'],
    // a=1key
    ['no blank value, signature or its type', { a: '1', b: '', sign: 'x', sign_type: 'MD5' }, '033225d7ad9c4ca917bad4f75f322790'],
    // 名=充值key
    ['text in UTF-8', { 名: '充值' }, '5ae409f6960b2d31f5e9e74a20c659f6'],
  ])('signs %s', (_case, fields, expected) => {
    expect(signFields(fields, 'key')).toBe(expected)
  })

  it.each([
    ['zfb', 'alipay'],
    ['wx', 'wxpay'],
  ])('sends the payer of method %s to the gateway with a form that its signature covers', async (method, type) => {
    const urls = { notify_url: 'https://gate.example/n', return_url: 'https://gate.example/r?order=T1' }

    const { url, fields, provider_ref } = await made().start({ trade_no: 'T1', method, amount: 10, money: 7305 }, urls)

    expect([url, provider_ref]).toEqual(['https://pay.example/submit.php', ''])
    const { sign, ...rest } = fields
    expect(rest).toEqual({
      pid: EPAY.id,
      type,
      out_trade_no: 'T1',
      name: 'TUC10',
      money: '73.05',
      device: 'pc',
      sign_type: 'MD5',
      ...urls,
    })
    expect(sign).toBe(signed(rest)['sign'])
  })

  it('reads a signed notification of a payment', async () => {
    expect(await read(signed(NOTE))).toEqual({
      kind: 'statement',
      statement: { trade_no: 'T1', event_id: 'T1:E2026:7.30', provider_ref: 'E2026', event: PAID },
    })
  })

  it('reads the same statement again when it is sent again, and another one for another sum', async () => {
    const ids = [NOTE, NOTE, { ...NOTE, money: '7.31' }].map(async (note) => {
      const found = await read(signed(note))
      return found.kind === 'statement' ? found.statement.event_id : found.kind
    })

    const [first, again, other] = await Promise.all(ids)
    expect(again).toBe(first)
    expect(other).not.toBe(first)
  })

  it.each<[string, Fields]>([
    ['with another sum than was signed', { ...signed(NOTE), money: '0.01' }],
    ['with a field that was not signed', { ...signed(NOTE), param: 'x' }],
    ['signed with another key', signed(NOTE, 'guess')],
    ['signed in capitals', { ...NOTE, sign: signed(NOTE)['sign']?.toUpperCase() ?? '' }],
    ['without a signature', NOTE],
    ['for another account', signed({ ...NOTE, pid: '1002' })],
  ])('takes a notification %s for forged', async (_case, fields) => {
    expect(await read(fields)).toEqual({ kind: 'forged' })
  })

  it.each<[string, Fields]>([
    ['of an open payment', { trade_status: 'WAIT_BUYER_PAY' }],
    ['without an order', { out_trade_no: '' }],
  ])('ignores a genuine notification %s', async (_case, change) => {
    expect(await read(signed({ ...NOTE, ...change }))).toEqual({ kind: 'ignored' })
  })

  it.each(['', '7,30', '-7.30', '7.3e2', '7.305', '９.00'])('reads the sum “%s” as one that no order has', async (money) => {
    expect(await read(signed({ ...NOTE, money }))).toMatchObject({ statement: { event: { ...PAID, money: -1 } } })
  })

  it('cuts the gateway’s number to the size of its column', async () => {
    const found = await read(signed({ ...NOTE, trade_no: 'E'.repeat(5000) }))

    expect(found).toMatchObject({ statement: { provider_ref: 'E'.repeat(100) } })
  })

  it.each<[string, Fields | undefined, unknown]>([
    [
      'paid',
      { out_trade_no: 'T1', trade_no: 'E9', money: '7.30', status: '1' },
      { kind: 'statements', statements: [{ trade_no: 'T1', event_id: 'T1:E9:7.30', provider_ref: 'E9', event: PAID }] },
    ],
    ['open', { out_trade_no: 'T1', money: '7.30', status: '0' }, { kind: 'unpaid' }],
    ['one that the gateway does not know', undefined, { kind: 'unknown' }],
    ['another one', { out_trade_no: 'T2', money: '7.30', status: '1' }, { kind: 'unknown' }],
    ['of another account', { pid: '1002', out_trade_no: 'T1', money: '7.30', status: '1' }, { kind: 'unknown' }],
    ['without a sum', { out_trade_no: 'T1', status: '1' }, { kind: 'unknown' }],
  ])('finds an order that is %s', async (_case, order, report) => {
    if (order !== undefined) vendors.epayOrders.set('T1', order)

    expect(await provider.find({ trade_no: 'T1', provider_ref: '' })).toEqual(report)
  })

  it('fails when the gateway answers an error or is away, so that the order is asked about again', async () => {
    vendors.failWith = 502
    await expect(provider.find({ trade_no: 'T1', provider_ref: '' })).rejects.toThrow('502')

    const away = made({ PayAddress: 'http://127.0.0.1:1' })
    await expect(away.find({ trade_no: 'T1', provider_ref: '' })).rejects.toThrow()
  })
})
