import { queryOptions } from '@tanstack/react-query'
import { payments } from '@tollgate/contracts/resources/payments'
import { wallet } from '@tollgate/contracts/resources/wallet'
import { call, keyOf } from '../../../lib/api.ts'

export const paymentInfo = queryOptions({
  queryKey: keyOf(payments.info),
  queryFn: ({ signal }) => call(payments.info, { signal }),
  staleTime: 60_000,
})

export const amountToPay = (amount: number, payment_method: string) =>
  queryOptions({
    queryKey: keyOf(wallet.amount, amount, payment_method),
    queryFn: ({ signal }) => call(wallet.amount, { body: { amount, top_up_code: '', payment_method }, signal }),
    retry: false,
    meta: { quiet: true },
  })

const SHOWN = 5

export const ownOrders = queryOptions({
  queryKey: keyOf(payments.own),
  queryFn: ({ signal }) => call(payments.own, { query: { p: 1, page_size: SHOWN, status: '', keyword: '' }, signal }),
})

export const startPayment = (amount: number, payment_method: string) =>
  call(wallet.pay, { body: { amount, top_up_code: '', payment_method } })
