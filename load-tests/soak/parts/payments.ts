import { EPAY, signed, startPaymentVendors, type Fields } from '../../../libs/testing/src/payment-vendors.ts'
import { openHttpClient, type ConsoleUser } from '../console.ts'
import type { Part } from './part.ts'

/** Purchases through a scripted epay, whose notification comes twice. */
export async function createPayments(admin: ConsoleUser, origin: string): Promise<Part> {
  const vendors = await startPaymentVendors()
  const options = { ServerAddress: origin, PayAddress: `${vendors.url}/epay/`, EpayId: EPAY.id, EpayKey: EPAY.key }
  for (const [key, value] of Object.entries(options)) await admin.send('PUT', '/api/option/', { key, value })
  const provider = openHttpClient(origin, '127.0.0.1')
  return {
    name: 'payments',
    about: 'an order is placed and paid, the provider says so twice; the order is paid and the wallet has one entry for it',
    pauseMs: 3000,
    act: async ({ user }) => {
      const form = await user.send<Fields>('POST', '/api/user/pay', { amount: 1, top_up_code: '', payment_method: 'zfb' })
      const { out_trade_no = '', money = '', name = '' } = form
      const paid = { pid: EPAY.id, trade_no: `E${out_trade_no}`, out_trade_no, type: 'alipay', name, money, trade_status: 'TRADE_SUCCESS' }
      vendors.epayOrders.set(out_trade_no, { out_trade_no, trade_no: paid.trade_no, money, status: '1' })
      const query = new URLSearchParams(signed(paid)).toString()
      for (let times = 0; times < 2; times += 1) {
        const answer = await provider.text({ method: 'GET', path: `/api/user/epay/notify?${query}` })
        if (answer !== 'success') throw new Error(`the notification of order ${out_trade_no} was answered with ${answer}`)
      }
      vendors.epayOrders.delete(out_trade_no)
      const orders = await user.get<{ items: { trade_no: string; status: string }[] }>('/api/user/topup/orders?p=1&page_size=10')
      const order = orders.items.find(({ trade_no }) => trade_no === out_trade_no)
      if (order?.status !== 'paid') throw new Error(`order ${out_trade_no} is ${order?.status ?? 'missing'}`)
      const entries = await user.get<{ items: { reference: string }[] }>('/api/user/wallet/entries?p=1&page_size=20')
      const booked = entries.items.filter(({ reference }) => reference === `order:${out_trade_no}`).length
      if (booked !== 1) throw new Error(`order ${out_trade_no} has ${booked} wallet entries`)
    },
    close: async () => {
      await provider.close()
      await vendors.close()
    },
  }
}
