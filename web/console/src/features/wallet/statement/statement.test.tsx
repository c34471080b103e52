import { screen, waitFor, within } from '@testing-library/react'
import { csvExports } from '@tollgate/contracts/resources/exports'
import { payments } from '@tollgate/contracts/resources/payments'
import { self } from '@tollgate/contracts/resources/self'
import { spendAlerts } from '@tollgate/contracts/resources/spend-alerts'
import { status } from '@tollgate/contracts/resources/status'
import { statements } from '@tollgate/contracts/resources/statements'
import { tokens } from '@tollgate/contracts/resources/tokens'
import { wallet } from '@tollgate/contracts/resources/wallet'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { session } from '../../../lib/session.ts'
import { aStatus, aStoredUser, aUser } from '../../../testing/factories.ts'
import { planeForTests } from '../../../testing/plane.ts'
import { open } from '../../../testing/render.tsx'

const plane = planeForTests()
beforeEach(() => {
  session.start(aStoredUser({ role: 1 }))
  plane.answer(self.get, aUser({ role: 1, quota: 500_000 }))
  plane.answer(payments.info, { methods: [], amounts: [], discounts: {}, group_ratio: 1 })
  plane.answer(payments.own, { items: [], total: 0, page: 1, page_size: 10 })
  plane.answer(spendAlerts.list, [
    { id: 4, token_id: 7, token_name: 'ci', period: 'day', threshold: 500_000, spent: 250_000, notified_at: 0, told_at: 0 },
  ])
  plane.answer(tokens.list, [])
  const gift = {
    at: 1_790_000_000,
    kind: 'admin',
    amount: 750_000,
    reference: 'user:1:x',
    note: '补偿',
    requests: 0,
    balance: 750_000,
  } as const
  const usage = {
    at: 1_790_086_399,
    kind: 'usage',
    amount: -250_000,
    reference: '2026-09-22',
    note: '',
    requests: 3,
    balance: 500_000,
  } as const
  plane.answer(statements.month, {
    month: '2026-09',
    opening: 0,
    closing: 500_000,
    lines: [gift, usage],
    is_cut: false,
    projects: [{ id: 3, name: '网站', quota: 500_000, requests: 7 }],
  })
})

describe('spend alerts', () => {
  it('are listed with what was spent, set, deleted, and the weekly report is switched off', async () => {
    const view = await open('/topup')
    const panel = await screen.findByRole('region', { name: '消耗提醒' })
    expect(await within(panel).findByText('令牌 ci')).toBeTruthy()
    expect(panel.textContent).toContain('每天（UTC） · $0.50 / $1.00')

    await view.user.click(within(panel).getByRole('button', { name: '添加提醒' }))
    const dialog = await screen.findByRole('dialog', { name: '添加提醒' })
    await view.user.click(within(dialog).getByRole('button', { name: '保存' }))
    expect(await within(dialog).findByText('请输入大于 0 的阈值')).toBeTruthy()
    plane.answer(spendAlerts.save, undefined)
    await view.user.type(within(dialog).getByRole('textbox', { name: '阈值（美元）' }), '5')
    await view.user.click(within(dialog).getByRole('button', { name: '保存' }))
    await waitFor(() => expect(plane.to(spendAlerts.save).at(-1)?.body).toEqual({ token_id: 0, period: 'month', threshold: 2_500_000 }))

    plane.answer(spendAlerts.remove, undefined)
    await view.user.click(within(panel).getByRole('button', { name: '删除提醒：令牌 ci' }))
    await waitFor(() => expect(plane.to(spendAlerts.remove)).toHaveLength(1))
    plane.answer(self.updateSetting, undefined)
    await view.user.click(within(panel).getByRole('checkbox', { name: '每周用量报告' }))
    await waitFor(() => expect(plane.to(self.updateSetting).at(-1)?.body).toEqual({ weekly_report: false }))
  })
})

describe('the wallet', () => {
  afterEach(() => vi.restoreAllMocks())

  it('shows the account, the balance, what was spent and the number of requests', async () => {
    plane.answer(self.get, aUser({ username: 'lin', role: 1, quota: 500_000, used_quota: 1_500_000, request_count: 4_321 }))
    await open('/topup')

    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('我的钱包')
    expect(await screen.findByText('账户 lin')).toBeTruthy()
    const stats = ['当前余额', '历史消耗', '请求次数'].map((label) => screen.getByText(label).nextElementSibling?.textContent)
    expect(stats).toEqual(['$1.00', '$3.00', '4,321'])
    expect(plane.to(self.get).map(({ method, path }) => `${method} ${path}`)).toContain('GET /api/user/self')
  })

  it('redeems a code, after refusing an empty one and showing why one was refused', async () => {
    const view = await open('/topup')
    const panel = await screen.findByRole('region', { name: '兑换额度' })
    await view.user.click(within(panel).getByRole('button', { name: '兑换' }))
    expect(within(panel).getByText('请输入兑换码！')).toBeTruthy()
    plane.refuse(wallet.redeem, '兑换失败，该兑换码已被使用')
    await view.user.type(within(panel).getByLabelText('兑换码'), ' abc ')
    await view.user.click(within(panel).getByRole('button', { name: '兑换' }))
    expect(await within(panel).findByText('兑换失败，该兑换码已被使用')).toBeTruthy()
    plane.answer(wallet.redeem, 500_000)
    await view.user.click(within(panel).getByRole('button', { name: '兑换' }))
    expect(await screen.findByText('兑换成功！')).toBeTruthy()
    expect(plane.to(wallet.redeem).at(-1)?.body).toEqual({ key: 'abc' })
  })

  it('leads to the top-up page of the operator, and says so when there is none', async () => {
    const view = await open('/topup')
    await view.user.click(await screen.findByRole('button', { name: '获取兑换码' }))
    expect(await screen.findByText('超级管理员未设置充值链接！')).toBeTruthy()
    view.unmount()

    plane.answer(status.get, aStatus({ top_up_link: 'https://shop.example.org/codes' }))
    await open('/topup')
    const link = await screen.findByRole('link', { name: '获取兑换码' })
    expect(link.getAttribute('href')).toBe('https://shop.example.org/codes')
  })

  it('states a month with causes and balances, and reads another month', async () => {
    const view = await open('/topup')
    const table = await screen.findByRole('table')
    const rows = within(table)
      .getAllByRole('row')
      .map((row) => row.textContent)
    expect(rows.at(1)).toBe('期初余额$0.00')
    expect(rows.at(2)).toMatch(/管理员调整 · 补偿user:1:x\+\$1\.50\$1\.50$/)
    expect(rows.at(3)).toBe('2026-09-22用量 · 3 次请求-$0.50$1.00')
    expect(rows.at(4)).toBe('期末余额$1.00')
    const month = plane.to(statements.month)[0]?.query['month']
    expect(month).toMatch(/^\d{4}-\d{2}$/)
    await view.user.selectOptions(screen.getByLabelText('月份'), screen.getAllByRole('option')[1] ?? [])
    await waitFor(() => expect(plane.to(statements.month).at(-1)?.query['month']).not.toBe(month))
  })

  it('saves cost and usage of the chosen month for FinOps tools', async () => {
    // The virtual browser would leave the page for the file.
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    plane.answer(csvExports.ownFocus, 'BilledCost')
    const view = await open('/topup')
    await view.user.selectOptions(await screen.findByLabelText('月份'), screen.getAllByRole('option')[1] ?? [])
    const month = screen.getByLabelText<HTMLSelectElement>('月份').value
    await view.user.click(screen.getByRole('button', { name: 'FOCUS' }))

    await waitFor(() => expect(plane.to(csvExports.ownFocus)[0]?.query).toEqual({ month }))
    expect(screen.queryByRole('button', { name: 'FOCUS（全部用户）' })).toBeNull()
  })

  it('saves those of all users for root', async () => {
    session.start(aStoredUser({ role: 100 }))
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    plane.answer(csvExports.focus, 'BilledCost')
    const view = await open('/topup')
    await view.user.click(await screen.findByRole('button', { name: 'FOCUS（全部用户）' }))

    await waitFor(() => expect(plane.to(csvExports.focus)).toHaveLength(1))
  })
})

it('the statement of an organisation has the usage by project', async () => {
  await open('/topup')
  const heading = await screen.findByText('按项目')
  expect(heading.parentElement?.textContent).toContain('网站')
  expect(heading.parentElement?.textContent).toContain('$1.00')
})
