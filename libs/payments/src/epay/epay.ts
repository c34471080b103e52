import type { OptionValues } from '@tollgate/contracts/options/registry'
import { formatMoney, parseMoney } from '@tollgate/domain/payments/price'
import type { Outbound } from '@tollgate/outbound/outbound'
import { request } from '@tollgate/outbound/request'
import { z } from 'zod'
import type { PaymentProvider, PaymentReport, ReadNotification } from '../provider.ts'
import { isSigned, signFields } from './signature.ts'

const CURRENCY = 'cny'
const PLACES = 2
const TIMEOUT_MS = 10_000
const MAX_BYTES = 64 * 1024

/** Newer consoles name methods by the `type` of the protocol. */
const ALIASES = { alipay: 'zfb', wxpay: 'wx', wechat: 'wx' }

type Settings = Pick<OptionValues, 'PayAddress' | 'EpayId' | 'EpayKey' | 'Price' | 'MinTopUp'>

/**
 * The epay protocol, which many Chinese payment gateways speak: a signed form that the payer's browser posts to `submit.php`, signed
 * notifications, and `api.php?act=order` for questions. Undefined unless address, account and key are set.
 */
export function createEpay(settings: Settings, outbound: Pick<Outbound, 'dispatch'>): PaymentProvider | undefined {
  const { PayAddress, EpayId, EpayKey, Price, MinTopUp } = settings
  if (PayAddress === '' || EpayId === '' || EpayKey === '') return undefined
  const base = PayAddress.replace(/\/+$/, '')
  return {
    id: 'epay',
    methods: ['zfb', 'wx'],
    aliases: ALIASES,
    currency: CURRENCY,
    places: PLACES,
    unit_price: Price,
    min_amount: MinTopUp,
    start: async ({ trade_no, method, amount, money }, { notify_url, return_url }) => {
      const fields = {
        pid: EpayId,
        type: method === 'zfb' ? 'alipay' : 'wxpay',
        out_trade_no: trade_no,
        notify_url,
        name: `TUC${amount}`,
        money: formatMoney(money, PLACES),
        device: 'pc',
        sign_type: 'MD5',
        return_url,
      }
      return { url: `${base}/submit.php`, fields: { ...fields, sign: signFields(fields, EpayKey) }, provider_ref: '' }
    },
    read: async ({ fields }) => readNotification(fields, { id: EpayId, key: EpayKey }),
    find: async ({ trade_no }) => {
      const query = new URLSearchParams({ act: 'order', pid: EpayId, key: EpayKey, out_trade_no: trade_no })
      const url = `${base}/api.php?${query.toString()}`
      const answer = await request(outbound, { url, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })
      if (answer.status !== 200) throw new Error(`the payment gateway answered ${answer.status}`)
      return readOrder(answer.body.toString(), { id: EpayId, trade_no })
    },
  }
}

function readNotification(fields: Readonly<Record<string, string>>, account: { id: string; key: string }): ReadNotification {
  if (!isSigned(fields, account.key) || fields['pid'] !== account.id) return { kind: 'forged' }
  const trade_no = fields['out_trade_no'] ?? ''
  const provider_ref = (fields['trade_no'] ?? '').slice(0, 100)
  if (fields['trade_status'] !== 'TRADE_SUCCESS' || trade_no === '') return { kind: 'ignored' }
  return { kind: 'statement', statement: toStatement({ trade_no, provider_ref, money: fields['money'] ?? '' }) }
}

type Paid = { readonly trade_no: string; readonly provider_ref: string; readonly money: string }

/** Money that cannot be read is -1, which no order has. */
const toStatement = ({ trade_no, provider_ref, money }: Paid) => ({
  trade_no,
  event_id: `${trade_no}:${provider_ref}:${money}`.slice(0, 300),
  provider_ref,
  event: { kind: 'paid' as const, money: parseMoney(money, PLACES) ?? -1, currency: CURRENCY, may_exceed: true as const },
})

const Text = z.union([z.string(), z.number()]).transform(String)
const Order = z.object({ code: Text, pid: Text.optional(), out_trade_no: Text, trade_no: Text.default(''), money: Text, status: Text })

function readOrder(text: string, { id, trade_no }: { id: string; trade_no: string }): PaymentReport {
  const order = Order.safeParse(parseJson(text))
  if (!order.success || order.data.code !== '1' || order.data.out_trade_no !== trade_no) return { kind: 'unknown' }
  const { pid = id, status, money, trade_no: provider_ref } = order.data
  if (pid !== id) return { kind: 'unknown' }
  if (status !== '1') return { kind: 'unpaid' }
  return { kind: 'statements', statements: [toStatement({ trade_no, provider_ref: provider_ref.slice(0, 100), money })] }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
