import { screen, waitFor } from '@testing-library/react'
import { prices } from '@tollgate/contracts/resources/prices'
import { payments } from '@tollgate/contracts/resources/payments'
import { options } from '@tollgate/contracts/resources/options'
import { self } from '@tollgate/contracts/resources/self'
import { spendAlerts } from '@tollgate/contracts/resources/spend-alerts'
import { statements } from '@tollgate/contracts/resources/statements'
import { wallet } from '@tollgate/contracts/resources/wallet'
import { beforeEach, describe, expect, it } from 'vitest'
import { session } from '../../../lib/session.ts'
import { aStoredUser, aUser } from '../../../testing/factories.ts'
import { planeForTests } from '../../../testing/plane.ts'
import { open } from '../../../testing/render.tsx'

const plane = planeForTests()
const EPAY = { provider: 'epay', currency: 'cny', unit_price: 7.3, min_amount: 5 } as const

beforeEach(() => {
  session.start(aStoredUser({ role: 1 }))
  plane.answer(self.get, aUser({ role: 1 }))
  plane.answer(payments.own, { items: [], total: 0, page: 1, page_size: 10 })
  plane.answer(spendAlerts.list, [])
  plane.answer(statements.month, { month: '2026-09', opening: 0, closing: 0, lines: [], is_cut: false })
})

describe('online top-up', () => {
  it('is said to be off when the site has no payment method', async () => {
    plane.answer(payments.info, { methods: [], amounts: [], discounts: {}, group_ratio: 1 })

    await open('/topup')

    expect(await screen.findByText('管理员未开启在线充值！')).toBeTruthy()
    expect(screen.queryByRole('link', { name: '支付设置' })).toBeNull()
  })

  it('leads root to the settings that turn it on, also those of the link to buy codes', async () => {
    session.start(aStoredUser())
    plane.answer(payments.info, { methods: [], amounts: [], discounts: {}, group_ratio: 1 })
    plane.answer(options.list, [])
    plane.answer(options.notes, [])
    plane.answer(prices.changes, [])
    const view = await open('/topup')

    expect((await screen.findByRole('link', { name: '支付设置' })).getAttribute('href')).toBe('/setting?keyword=Epay')
    await view.user.click(screen.getByRole('button', { name: '获取兑换码' }))
    expect(await screen.findByText('超级管理员未设置充值链接！')).toBeTruthy()
    await view.user.click(screen.getByRole('button', { name: '填写链接' }))
    await waitFor(() => expect(view.address()).toBe('/setting?keyword=TopUpLink'))
  })

  it('refuses an amount below the minimum, and offers both methods', async () => {
    const methods = [
      { method: 'zfb', ...EPAY },
      { method: 'wx', ...EPAY },
    ]
    plane.answer(payments.info, { methods, amounts: [], discounts: {}, group_ratio: 1 })
    plane.answer(wallet.amount, { message: 'success', data: '36.50' })
    const view = await open('/topup')
    const amount = await screen.findByRole('textbox', { name: '充值数量' })
    expect(screen.getAllByText(/^(支付宝|微信支付)$/)).toHaveLength(2)

    await view.user.clear(amount)
    await view.user.type(amount, '4')
    expect(await screen.findByText('充值数量不能小于5')).toBeTruthy()
    await view.user.click(screen.getByRole('button', { name: '去支付' }))

    expect(plane.to(wallet.pay)).toHaveLength(0)
    await view.user.clear(amount)
    await view.user.type(amount, '5')
    expect(await screen.findByText('¥36.50')).toBeTruthy()
    expect(plane.to(wallet.amount).at(-1)?.body).toMatchObject({ amount: 5, top_up_code: '' })
  })
})
