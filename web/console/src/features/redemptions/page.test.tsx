import { screen, waitFor, within } from '@testing-library/react'
import { redemptions, type Redemption } from '@tollgate/contracts/resources/redemptions'
import { beforeEach, describe, expect, it } from 'vitest'
import { session } from '../../lib/session.ts'
import { aStoredUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const plane = planeForTests()
const aCode = (change: Partial<Redemption> = {}): Redemption => ({
  id: 1,
  user_id: 1,
  key: '0123456789abcdef0123456789abcdef',
  status: 1,
  name: '活动',
  quota: 500_000,
  created_time: 1_700_000_000,
  redeemed_time: 0,
  count: 0,
  used_user_id: 0,
  DeletedAt: null,
  ...change,
})
beforeEach(() => {
  session.start(aStoredUser())
  const items = [aCode(), aCode({ id: 2, name: 'used', status: 3, used_user_id: 7, redeemed_time: 1_700_000_100 })]
  plane.answer(redemptions.search, { items, total: 2, page: 1, page_size: 10 })
})

describe('redemption codes', () => {
  it('lists codes with their state and the user who used them; a used one cannot be edited', async () => {
    const view = await open('/redemption')
    const used = (await screen.findByText('used')).closest('tr') ?? document.body
    expect(screen.getByRole('heading', { name: '管理兑换码' })).toBeTruthy()
    expect(within(used).getByText('已使用')).toBeTruthy()
    expect(within(used).getByRole('link', { name: '7' }).getAttribute('href')).toContain('open=7')
    expect(within(used).queryByRole('button', { name: '编辑' })).toBeNull()
    const unused = screen.getByText('活动').closest('tr') ?? document.body
    expect(within(unused).getByText('未使用')).toBeTruthy()
    expect(within(unused).getByRole('button', { name: '编辑' })).toBeTruthy()
    await view.user.click(screen.getByRole('button', { name: '复制所选兑换码' }))
    expect(await screen.findByText('请至少选择一个兑换码！')).toBeTruthy()
  })

  it('creates codes, names them after their quota, and hands them over', async () => {
    plane.answer(redemptions.create, ['aaa', 'bbb'])
    const view = await open('/redemption?edit=new')
    const drawer = await screen.findByRole('dialog')
    const count = await within(drawer).findByLabelText('数量')
    await view.user.clear(count)
    await view.user.type(count, '101')
    await view.user.click(within(drawer).getByRole('button', { name: '创建' }))
    expect(within(drawer).getByText('一次兑换码批量生成的个数不能大于 100')).toBeTruthy()
    await view.user.clear(count)
    await view.user.type(count, '2')
    await view.user.click(within(drawer).getByRole('button', { name: '创建' }))

    expect(await screen.findByText('兑换码创建成功！')).toBeTruthy()
    expect(plane.to(redemptions.create)[0]?.body).toEqual({ name: '$0.20', quota: 100_000, count: 2 })
    expect((await screen.findByLabelText('兑换码')).textContent).toBe('aaa\nbbb')
  })

  it('edits only what changed', async () => {
    plane.answer(redemptions.get, aCode())
    plane.answer(redemptions.update, aCode())
    const view = await open('/redemption?edit=1')
    const drawer = await screen.findByRole('dialog')
    const name = await within(drawer).findByLabelText('名称')
    await view.user.clear(name)
    await view.user.type(name, 'new')
    await view.user.click(within(drawer).getByRole('button', { name: '保存' }))
    await waitFor(() => expect(plane.to(redemptions.update)[0]?.body).toEqual({ id: 1, name: 'new' }))
  })
})
