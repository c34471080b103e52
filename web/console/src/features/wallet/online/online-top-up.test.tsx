import { screen, waitFor } from '@testing-library/react'
import { payments, type PaymentOrder } from '@tollgate/contracts/resources/payments'
import { self } from '@tollgate/contracts/resources/self'
import { wallet } from '@tollgate/contracts/resources/wallet'
import { spendAlerts } from '@tollgate/contracts/resources/spend-alerts'
import { statements } from '@tollgate/contracts/resources/statements'
import { tokens } from '@tollgate/contracts/resources/tokens'
import { beforeEach, describe, expect, it } from 'vitest'
import { session } from '../../../lib/session.ts'
import { aStoredUser, aUser } from '../../../testing/factories.ts'
import { planeForTests } from '../../../testing/plane.ts'
import { open } from '../../../testing/render.tsx'

const anOrder = (change: Partial<PaymentOrder>): PaymentOrder => ({
  id: 1,
  trade_no: 'T1',
  user_id: 2,
  username: 'alice',
  provider: 'stripe',
  method: 'stripe',
  amount: 10,
  quota: 5_000_000,
  currency: 'usd',
  money: '10.00',
  refunded: '0.00',
  status: 'pending',
  dispute: '',
  note: '',
  created_at: 1_796_083_868,
  paid_at: 0,
  ...change,
})

const plane = planeForTests()
beforeEach(() => {
  session.start(aStoredUser({ role: 1 }))
  plane.answer(self.get, aUser({ role: 1 }))
  const stripe = { method: 'stripe', provider: 'stripe', currency: 'USD', unit_price: 1, min_amount: 1 } as const
  plane.answer(payments.info, { methods: [stripe], amounts: [10], discounts: {}, group_ratio: 1 })
  plane.answer(payments.own, { items: [], total: 0, page: 1, page_size: 5 })
  plane.answer(spendAlerts.list, [])
  plane.answer(tokens.list, [])
  plane.answer(statements.month, { month: '2026-09', opening: 0, closing: 0, lines: [], is_cut: false })
})

describe('the top-up form', () => {
  it('shows the text of a refusal where the sum would be, also when it is only marked by its message', async () => {
    plane.answer(wallet.amount, { message: 'error', data: '充值数量不能小于 1' })
    await open('/topup')

    expect(await screen.findByText('充值数量不能小于 1')).toBeTruthy()
    expect(screen.queryByText(/NaN/)).toBeNull()
  })

  it('says that a call failed where the server gave no text', async () => {
    plane.fail(wallet.amount, 502, {})
    plane.fail(wallet.pay, 502, {})
    const view = await open('/topup')
    expect(await screen.findAllByText('请求失败')).toHaveLength(1)

    await view.user.click(screen.getByRole('button', { name: '去支付' }))

    await waitFor(() => expect(screen.getAllByText('请求失败')).toHaveLength(2))
  })

  it('asks for a whole number where a fraction is typed, and for enough where it is too little', async () => {
    plane.answer(wallet.amount, { message: 'success', data: '10.00' })
    const view = await open('/topup')
    const amount = await screen.findByLabelText('充值数量')

    await view.user.clear(amount)
    await view.user.type(amount, '1.5')
    expect(await screen.findByText('请填写整数')).toBeTruthy()

    await view.user.clear(amount)
    await view.user.type(amount, '0')
    expect(await screen.findByText('充值数量不能小于1')).toBeTruthy()
  })
})

describe('own orders', () => {
  beforeEach(() => plane.answer(wallet.amount, { message: 'success', data: '10.00' }))

  it('tell a payer who comes back above everything else whether the payment has arrived', async () => {
    plane.answer(payments.own, { items: [anOrder({ trade_no: 'T1', status: 'paid' })], total: 1, page: 1, page_size: 5 })
    await open('/topup?order=T1')

    const notice = await screen.findByText('充值已到账')
    const form = await screen.findByRole('button', { name: '去支付' })
    expect(notice.compareDocumentPosition(form) & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0)
  })

  it.each(['failed', 'expired'] as const)(
    'tell a payer who comes back from a payment that is %s that nothing was credited',
    async (status) => {
      plane.answer(payments.own, { items: [anOrder({ trade_no: 'T1', status })], total: 1, page: 1, page_size: 5 })
      await open('/topup?order=T1')

      expect(await screen.findByText('这笔付款没有完成')).toBeTruthy()
      expect(screen.getByText('余额没有变化，可以重新支付。')).toBeTruthy()
    },
  )

  it('say how much of a payment was refunded', async () => {
    const order = anOrder({ status: 'paid', money: '50.00', refunded: '20.00' })
    plane.answer(payments.own, { items: [order], total: 1, page: 1, page_size: 5 })
    await open('/topup')

    expect(await screen.findByText('部分退款')).toBeTruthy()
    expect(screen.getByText(/已退款 US\$20\.00/)).toBeTruthy()
  })
})
