import { screen, waitFor, within } from '@testing-library/react'
import { redemptions, type Redemption } from '@tollgate/contracts/resources/redemptions'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { session } from '../../lib/session.ts'
import { aStoredUser } from '../../testing/factories.ts'
import { pick } from '../../testing/pick.ts'
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
  expired_time: 0,
  count: 0,
  used_user_id: 0,
  DeletedAt: null,
  ...change,
})
beforeEach(() => {
  session.start(aStoredUser())
  const items = [
    aCode(),
    aCode({ id: 2, name: 'used', status: 3, used_user_id: 7, redeemed_time: 1_700_000_100, key: 'f'.repeat(32) }),
    aCode({ id: 3, name: 'off', status: 2 }),
  ]
  plane.answer(redemptions.search, { items, total: 3, page: 1, page_size: 10 })
  plane.answer(redemptions.update, aCode())
  plane.answer(redemptions.remove, undefined)
})

const rowOf = async (name: string): Promise<HTMLElement> => (await screen.findByText(name)).closest('tr') ?? document.body

describe('redemption codes', () => {
  it('lists codes with their state and the user who used them; a used one cannot be edited', async () => {
    await open('/redemption')
    const used = (await screen.findByText('used')).closest('tr') ?? document.body
    expect(screen.getByRole('heading', { name: '管理兑换码' })).toBeTruthy()
    expect(within(used).getByText('已使用')).toBeTruthy()
    expect(within(used).getByRole('link', { name: '7' }).getAttribute('href')).toContain('open=7')
    expect(within(used).queryByRole('button', { name: '编辑' })).toBeNull()
    const unused = screen.getByText('活动').closest('tr') ?? document.body
    expect(within(unused).getByText('未使用')).toBeTruthy()
    expect(within(unused).getByText('无')).toBeTruthy()
    expect(within(unused).getByRole('button', { name: '编辑' })).toBeTruthy()
    const disabled = await rowOf('off')
    expect(within(disabled).getByText('已禁用')).toBeTruthy()
    expect(within(disabled).queryByRole('button', { name: '编辑' })).toBeNull()
  })

  it('copies one code, or the selected ones', async () => {
    const view = await open('/redemption')
    const write = vi.fn((_text: string) => Promise.resolve())
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: write } })
    await view.user.click(within(await rowOf('used')).getByRole('button', { name: '复制兑换码' }))
    await view.user.click(screen.getByRole('button', { name: '复制所选兑换码' }))
    expect(await screen.findByText('请至少选择一个兑换码！')).toBeTruthy()
    for (const name of ['活动', 'used']) await view.user.click(screen.getByRole('checkbox', { name: `选择 ${name}` }))
    await view.user.click(screen.getAllByRole('button', { name: '复制所选兑换码' })[0] ?? document.body)

    await waitFor(() => expect(write.mock.calls).toEqual([['f'.repeat(32)], [`${aCode().key}\n${'f'.repeat(32)}`]]))
    vi.unstubAllGlobals()
  })

  it('disables, enables and deletes from the row, where the state allows it', async () => {
    const view = await open('/redemption')
    const more = async (name: string): Promise<void> => view.user.click(within(await rowOf(name)).getByRole('button', { name: '更多操作' }))
    const offered = async (): Promise<(string | null)[]> => (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)

    await more('used')
    expect(await offered()).toEqual(['删除'])
    await view.user.keyboard('{Escape}')
    await more('活动')
    expect(await offered()).toEqual(['禁用', '删除'])
    await pick(view.user, '禁用')
    await waitFor(() =>
      expect(plane.to(redemptions.update)[0]).toMatchObject({ query: { status_only: 'true' }, body: { id: 1, status: 2 } }),
    )
    expect(await screen.findByText('操作成功完成！')).toBeTruthy()
    await more('off')
    expect(await offered()).toEqual(['启用', '删除'])
    await pick(view.user, '启用')
    await waitFor(() =>
      expect(plane.to(redemptions.update)[1]).toMatchObject({ query: { status_only: 'true' }, body: { id: 3, status: 1 } }),
    )
    await more('used')
    await pick(view.user, '删除')
    await view.user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '删除' }))
    await waitFor(() => expect(plane.to(redemptions.remove).map(({ path }) => path)).toEqual(['/api/redemption/2']))
  })

  it('creates codes, names them after their quota, and hands them over', async () => {
    plane.answer(redemptions.create, ['aaa', 'bbb'])
    const view = await open('/redemption?edit=new')
    const drawer = await screen.findByRole('dialog')
    const count = await within(drawer).findByLabelText<HTMLInputElement>('数量')
    expect(count.value).toBe('1')
    await view.user.clear(count)
    await view.user.type(count, '101')
    await view.user.click(within(drawer).getByRole('button', { name: '创建' }))
    expect(within(drawer).getByText('一次兑换码批量生成的个数不能大于 100')).toBeTruthy()
    await view.user.clear(count)
    await view.user.type(count, '2')
    await view.user.click(within(drawer).getByRole('button', { name: '创建' }))

    expect(await screen.findByText('兑换码创建成功！')).toBeTruthy()
    expect(plane.to(redemptions.create)[0]?.body).toEqual({ name: '$0.20', quota: 100_000, count: 2, expired_time: 0 })
    expect((await screen.findByLabelText('兑换码')).textContent).toBe('aaa\nbbb')
  })

  it('edits only what changed', async () => {
    plane.answer(redemptions.get, aCode())
    plane.answer(redemptions.update, aCode())
    const view = await open('/redemption?edit=1')
    const drawer = await screen.findByRole('dialog')
    const name = await within(drawer).findByLabelText('名称')
    expect(within(drawer).queryByLabelText('数量')).toBeNull()
    await view.user.clear(name)
    await view.user.type(name, 'new')
    await view.user.click(within(drawer).getByRole('button', { name: '保存' }))
    await waitFor(() => expect(plane.to(redemptions.update)[0]?.body).toEqual({ id: 1, name: 'new', was: { name: expect.any(String) } }))
  })
})
