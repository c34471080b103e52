import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { budgets, type Budget } from '@tollgate/contracts/resources/budgets'
import { self } from '@tollgate/contracts/resources/self'
import { tokens } from '@tollgate/contracts/resources/tokens'
import { beforeEach, describe, expect, it } from 'vitest'
import { session } from '../../lib/session.ts'
import { aStoredUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'
import { aToken } from '../../testing/token-factories.ts'

const plane = planeForTests()
const aBudget = (over: Partial<Budget> = {}): Budget => ({
  id: 5,
  scope: 'token',
  user_id: 1,
  token_id: 7,
  project_id: 0,
  member_id: 0,
  token_name: 'app',
  group: '',
  amount: 5_000_000,
  window: 'day',
  time_zone: 'UTC',
  start_day: 1,
  action: 'refuse',
  alert_percents: [80, 100],
  created_at: 1_795_000_000,
  updated_at: 1_795_000_001,
  start: 1_795_824_000,
  end: 1_795_910_400,
  spent: 4_000_000,
  held: 500_000,
  ends_at: 1_795_880_000,
  past: [{ start: 1_795_737_600, end: 1_795_824_000, spent: 5_000_000 }],
  is_own: true,
  ...over,
})

beforeEach(() => {
  session.start(aStoredUser({ role: 1 }))
  plane.answer(self.groups, { default: { ratio: 1, desc: '默认分组' } })
  plane.answer(self.models, [])
  plane.answer(tokens.list, [aToken({ id: 7, name: 'app' })])
  plane.answer(tokens.count, { total: 1 })
  plane.answer(tokens.get, aToken({ id: 7, name: 'app' }))
})

describe('the budgets of a token', () => {
  it('show what is spent, held and left, the pace, and the periods before', async () => {
    plane.answer(budgets.list, [
      aBudget(),
      aBudget({ id: 6, window: 'total', end: 0, spent: 6_000_000, ends_at: 1, past: [], action: 'warn' }),
    ])
    await open('/token?edit=7')

    const [day, total] = await screen.findAllByRole('listitem').then((items) => items.filter((item) => /预算/.test(item.textContent)))
    expect(day?.textContent).toMatch(/每日预算.*用尽后拒绝.*\$8\.00 \/ \$10\.00 已消耗 · \$1\.00 进行中 · \$1\.00 剩余/)
    expect(day?.textContent).toMatch(/按目前的速度，将于 2026-\d\d-\d\d \d\d:\d\d:\d\d 用尽/)
    expect(within(day ?? document.body).getByLabelText(/起：\$10\.00.*（100%）/)).toBeTruthy()
    expect(total?.textContent).toMatch(/总预算.*仅提醒.*超出 \$3\.00.*不会重新计算.*已用尽/)
    expect(plane.to(budgets.list)[0]?.query).toMatchObject({ token_id: '7' })
  })

  it('show the spending of each of the last days when asked', async () => {
    const today = Math.floor(Date.now() / 86_400_000) * 86_400
    plane.answer(budgets.list, [aBudget()])
    plane.answer(budgets.days, [
      { day: today - 86_400, spent: 500_000 },
      { day: today, spent: 1_000_000 },
    ])
    const view = await open('/token?edit=7')
    await view.user.click(await screen.findByRole('button', { name: '按日消耗' }))

    const list = await screen.findByRole('list', { name: '按日消耗' })
    const labels = within(list)
      .getAllByRole('listitem')
      .map((item) => item.getAttribute('aria-label'))
    expect(labels).toHaveLength(35)
    expect(labels.at(-1)).toMatch(/^\d{4}-\d\d-\d\d：\$2\.0+/)
    expect(labels.at(-2)).toMatch(/：\$1\.0+/)
    expect(labels.at(-3)).toMatch(/：\$0/)
    expect(screen.getByText(/^\d{4}-\d\d-\d\d 至 \d{4}-\d\d-\d\d · 2 天共消耗 \$3\.0+ · \d{4}-\d\d-\d\d 最多：\$2\.0+$/)).toBeTruthy()
    expect(plane.to(budgets.days).map(({ path }) => path)).toEqual(['/api/budgets/5/days'])
  })

  it('say that nothing was spent in the last days', async () => {
    plane.answer(budgets.list, [aBudget()])
    plane.answer(budgets.days, [])
    const view = await open('/token?edit=7')
    await view.user.click(await screen.findByRole('button', { name: '按日消耗' }))

    expect(await screen.findByText('最近 35 天没有消耗。')).toBeTruthy()
  })

  it('are added for a period that has none, without saving the form around them', async () => {
    plane.answer(budgets.list, [aBudget()])
    plane.answer(budgets.create, { id: 8 })
    const view = await open('/token?edit=7')

    await view.user.click(await screen.findByRole('button', { name: '添加预算' }))
    const dialog = within(await screen.findByRole('dialog', { name: '添加预算' }))
    const period = dialog.getByRole<HTMLSelectElement>('combobox', { name: '周期' })
    expect([...period.options].map(({ value }) => value)).toEqual(['5h', 'week', 'month', 'total'])
    await view.user.click(dialog.getByRole('button', { name: '保存' }))
    expect(await dialog.findByText('请填写大于 0 的金额')).toBeTruthy()
    fireEvent.change(dialog.getByLabelText(/每月从第几日/), { target: { value: '31' } })
    fireEvent.change(dialog.getByRole('textbox', { name: '金额' }), { target: { value: '1000000' } })
    expect(await dialog.findByText('请填写 1 至 28 的整数')).toBeTruthy()
    fireEvent.change(dialog.getByLabelText(/每月从第几日/), { target: { value: '15' } })
    fireEvent.change(dialog.getByLabelText(/提醒/), { target: { value: '100，50%' } })
    await view.user.click(dialog.getByRole('button', { name: '保存' }))

    await waitFor(() => expect(plane.to(budgets.create)).toHaveLength(1))
    expect(plane.to(budgets.create)[0]?.body).toMatchObject({
      token_id: 7,
      window: 'month',
      start_day: 15,
      amount: 1_000_000,
      action: 'refuse',
      alert_percents: [50, 100],
    })
    expect(plane.to(tokens.update)).toHaveLength(0)
    expect(view.address()).toBe('/token?edit=7')
  })

  it('are marked where files manage them, and warn before they are changed or removed', async () => {
    plane.answer(budgets.list, [aBudget({ is_managed: true }), aBudget({ id: 6, window: 'week' })])
    const view = await open('/token?edit=7')
    expect(await screen.findAllByText('文件管理')).toHaveLength(1)

    await view.user.click(screen.getByRole('button', { name: '删除每日预算' }))
    expect((await screen.findByRole('alertdialog')).textContent).toContain('下次 tollgate apply 会重新创建')
    await view.user.click(screen.getByRole('button', { name: '取消' }))
    await view.user.click(screen.getByRole('button', { name: '编辑每日预算' }))
    expect(within(await screen.findByRole('dialog', { name: '编辑预算' })).getByRole('note').textContent).toMatch(/时被还原。$/)
  })

  it('are changed with what was seen, refused beside the amount, and removed after a question', async () => {
    plane.answer(budgets.list, [aBudget()])
    plane.refuse(budgets.update, '该预算已被其他管理员修改')
    plane.answer(budgets.remove, undefined)
    const view = await open('/token?edit=7')

    await view.user.click(await screen.findByRole('button', { name: '编辑每日预算' }))
    const dialog = within(await screen.findByRole('dialog', { name: '编辑预算' }))
    expect(dialog.queryByRole('combobox', { name: '周期' })).toBeNull()
    fireEvent.change(dialog.getByRole('textbox', { name: '金额' }), { target: { value: '7' } })
    await view.user.click(dialog.getByRole('button', { name: '保存' }))
    expect(await dialog.findByText('该预算已被其他管理员修改')).toBeTruthy()
    expect(plane.to(budgets.update)[0]?.body).toEqual({ amount: 7, action: 'refuse', alert_percents: [80, 100], seen_at: 1_795_000_001 })
    await view.user.click(dialog.getByRole('button', { name: '取消' }))

    await view.user.click(await screen.findByRole('button', { name: '删除每日预算' }))
    const question = within(await screen.findByRole('alertdialog', { name: '删除每日预算？' }))
    await view.user.click(question.getByRole('button', { name: '删除' }))
    await waitFor(() => expect(plane.to(budgets.remove)).toHaveLength(1))
  })

  it('of others are shown without what changes them', async () => {
    plane.answer(budgets.list, [aBudget({ is_own: false })])
    await open('/token?edit=7')

    expect(await screen.findByText('每日预算')).toBeTruthy()
    expect(screen.queryByRole('button', { name: '编辑每日预算' })).toBeNull()
  })
})
