import { screen, waitFor } from '@testing-library/react'
import { payments } from '@tollgate/contracts/resources/payments'
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
})
