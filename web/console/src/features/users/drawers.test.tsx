import { screen, waitFor, within } from '@testing-library/react'
import { config } from '@tollgate/contracts/resources/config'
import { groups } from '@tollgate/contracts/resources/groups'
import { self } from '@tollgate/contracts/resources/self'
import { sessions } from '@tollgate/contracts/resources/sessions'
import { statements } from '@tollgate/contracts/resources/statements'
import { twoFactor } from '@tollgate/contracts/resources/two-factor'
import { userAccess } from '@tollgate/contracts/resources/user-access'
import { users } from '@tollgate/contracts/resources/users'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { session } from '../../lib/session.ts'
import { aStoredUser, aUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const plane = planeForTests()
const BOUND = { email: 'a@example.com', github_id: 'gh-1', oidc_id: 'oi-2', wechat_id: 'wx-3', telegram_id: 'tg-4', linux_do_id: 'ld-5' }
const alice = aUser({ id: 2, username: 'alice', display_name: 'Alice', role: 1, quota: 500_000, ...BOUND })

beforeEach(() => {
  session.start(aStoredUser())
  plane.answer(groups.list, ['default', 'vip'])
  plane.answer(users.search, { items: [alice], total: 1, page: 1, page_size: 10 })
  plane.answer(users.get, alice)
  const entry = { id: 1, created_at: 1_790_000_000, kind: 'admin', amount: -5_000_000, reference: 'x', note: '退款' } as const
  plane.answer(statements.entriesOf, { items: [entry], total: 1, page: 1, page_size: 5 })
  plane.answer(users.tokens, { items: [], total: 0, page: 1, page_size: 5 })
  plane.answer(users.usage, { days: [{ day: 0, quota: 250_000, requests: 3 }], last_request_at: 0 })
})

describe('the drawers of users', () => {
  it('say of the account of an organisation that files manage it, and of no person with its name', async () => {
    const managed = { kind: 'organisation', name: 'Alice', owner: 'prod', applied_at: 1, applied_by: 'root' } as const
    plane.answer(config.managed, [managed])
    const person = await open('/user/edit/2')
    expect(await screen.findByLabelText('显示名称')).toBeTruthy()
    expect(screen.queryByRole('note')).toBeNull()
    person.unmount()

    plane.answer(users.get, { ...alice, username: 'org-abc' })
    await open('/user/edit/2')
    expect((await screen.findByRole('note')).textContent).toBe('由配置文件管理（prod）。 下次 tollgate apply 会还原以下各项的修改：Alice')
  })

  it('adds a user, after refusing an empty name and password', async () => {
    plane.answer(users.create, undefined)
    const view = await open('/user/add')
    const drawer = await screen.findByRole('dialog')
    await view.user.click(within(drawer).getByRole('button', { name: '创建' }))
    expect(within(drawer).getAllByText('用户名和密码不能为空！')).toHaveLength(2)

    await view.user.type(within(drawer).getByLabelText(/用户名/), 'bob')
    await view.user.type(within(drawer).getByLabelText(/密码/), 'long-enough')
    await view.user.click(within(drawer).getByRole('button', { name: '创建' }))

    expect(await screen.findByText('用户账户创建成功！')).toBeTruthy()
    expect(plane.to(users.create)[0]?.body).toEqual({ username: 'bob', display_name: '', password: 'long-enough' })
    await waitFor(() => expect(view.address()).toBe('/user'))
  })

  it('sends only what was edited, and limits by their own call; the quota is changed elsewhere, with a reason', async () => {
    plane.answer(users.update, alice)
    plane.answer(users.setLimits, alice)
    const view = await open('/user/edit/2')
    const drawer = await screen.findByRole('dialog')
    const name = await within(drawer).findByLabelText('显示名称')
    for (const account of Object.values(BOUND)) {
      expect(within(drawer).getByText(account)).toBeTruthy()
      expect(within(drawer).queryByDisplayValue(account)).toBeNull()
    }
    await view.user.clear(name)
    await view.user.type(name, 'Al')
    expect(within(drawer).queryByLabelText('剩余额度（美元）')).toBeNull()
    expect(within(drawer).getByText('余额请用“调整额度”修改，需要填写原因。')).toBeTruthy()
    await view.user.type(within(drawer).getByLabelText('并发请求数'), '5')
    await view.user.click(within(drawer).getByRole('button', { name: '保存' }))

    expect(await screen.findByText('用户信息更新成功！')).toBeTruthy()
    expect(plane.to(users.update)[0]?.body).toEqual({
      id: 2,
      display_name: 'Al',
      was: { display_name: expect.any(String) },
    })
    expect(plane.to(users.setLimits)[0]?.body).toEqual({ id: 2, limits: { concurrency: 5 } })
  })

  it('edits the own account without group and quota', async () => {
    plane.answer(self.get, aUser({ display_name: 'Root User' }))
    plane.answer(self.update, undefined)
    const view = await open('/user/edit')
    const drawer = await screen.findByRole('dialog')
    const name = await within(drawer).findByLabelText('显示名称')
    expect(within(drawer).queryByLabelText('剩余额度（美元）')).toBeNull()
    await view.user.clear(name)
    await view.user.type(name, 'Boss')
    await view.user.click(within(drawer).getByRole('button', { name: '保存' }))

    await waitFor(() => expect(plane.to(self.update)[0]?.body).toEqual({ display_name: 'Boss' }))
    await waitFor(() => expect(session.user()?.display_name).toBe('Boss'))
  })

  it('takes quota with a reason', async () => {
    plane.answer(users.adjustQuota, alice)
    const view = await open('/user?adjust=2')
    // The dialog that shows while the form loads is another element.
    await screen.findByLabelText('增加的额度（美元）')
    const drawer = screen.getByRole('dialog')
    await view.user.type(await within(drawer).findByLabelText('增加的额度（美元）'), '-2')
    await view.user.click(within(drawer).getByRole('button', { name: '保存' }))
    expect(within(drawer).getByText('余额不能小于 0')).toBeTruthy()
    const dollars = within(drawer).getByLabelText('增加的额度（美元）')
    await view.user.clear(dollars)
    await view.user.type(dollars, '-0.5')
    await view.user.type(within(drawer).getByLabelText(/原因/), '退款')
    await view.user.click(within(drawer).getByRole('button', { name: '保存' }))

    await waitFor(() => expect(plane.to(users.adjustQuota)[0]?.body).toMatchObject({ id: 2, amount: -250_000, reason: '退款' }))
    expect(await screen.findByText('操作成功完成！')).toBeTruthy()
  })

  it('makes a token for a user and shows its key once', async () => {
    plane.answer(userAccess.createToken, { id: 9, key: 'sk-made' })
    const view = await open('/user?open=2')
    const drawer = await screen.findByRole('dialog', { name: 'alice' })
    await view.user.click(await within(drawer).findByRole('button', { name: '创建令牌' }))
    const form = await screen.findByRole('dialog', { name: '为 alice 创建令牌' })
    await view.user.type(within(form).getByLabelText(/名称/), 'support')
    await view.user.click(within(form).getByRole('button', { name: '创建' }))

    expect(await screen.findByText('sk-made')).toBeTruthy()
    expect(plane.to(userAccess.createToken)[0]).toMatchObject({
      path: '/api/user/2/tokens',
      body: { name: 'support', unlimited_quota: true },
    })
    await view.user.click(screen.getByRole('button', { name: '关闭' }))
    await waitFor(() => expect(screen.queryByText('sk-made')).toBeNull())
  })

  it('shows the console as a user, with a banner that ends it', async () => {
    const own = session.user()
    plane.answer(userAccess.view, alice)
    plane.answer(userAccess.endView, aUser({ id: own?.id ?? 1, username: 'root', role: 100 }))
    const view = await open('/user?open=2')
    const drawer = await screen.findByRole('dialog', { name: 'alice' })
    const begin = await within(drawer).findByRole('button', { name: '以此用户身份查看' })
    const asked = () =>
      [...plane.to(users.list), ...plane.to(users.get)].map(({ path }) => path).filter((path) => path !== '/api/user/self')
    const before = asked()
    await view.user.click(begin)

    expect(await screen.findByText(/正在以 alice 的身份查看/)).toBeTruthy()
    expect(session.user()).toMatchObject({ id: 2, viewed_by: own?.username })
    await waitFor(() => expect(view.address()).toMatch(/^\/detail/))
    // The account that is seen may read none of them.
    expect(asked()).toEqual(before)
    await view.user.click(screen.getByRole('button', { name: '结束' }))
    await waitFor(() => expect(session.user()).toEqual(expect.not.objectContaining({ viewed_by: expect.anything() })))
    expect(session.user()?.username).toBe('root')
  })

  it('shows a user at a glance and leads to the logs', async () => {
    await open('/user?open=2')
    const drawer = await screen.findByRole('dialog', { name: 'alice' })
    expect(await within(drawer).findByText('$0.50')).toBeTruthy()
    expect(await within(drawer).findByText('管理员调整 · 退款')).toBeTruthy()
    expect(within(drawer).getByText('-$10.00')).toBeTruthy()
    expect(within(drawer).getByText('还没有请求')).toBeTruthy()
    expect(within(drawer).getByRole('link', { name: '查看使用日志' }).getAttribute('href')).toContain('username=alice')
  })

  it('resets the two-step verification of a user, after the administrator proved to be the one', async () => {
    plane.refuse(twoFactor.reset, '请先确认身份', 'proof')
    plane.answer(twoFactor.get, { is_on: false, is_required: false, recovery_codes_left: 0, has_password: true, passkeys: [] })
    plane.answer(sessions.prove, undefined)
    const view = await open('/user?open=2')
    await view.user.click(await screen.findByRole('button', { name: '重置两步验证' }))
    const question = await screen.findByRole('alertdialog', { name: '重置“alice”的两步验证？' })
    await view.user.click(within(question).getByRole('button', { name: '重置两步验证' }))
    const proof = await screen.findByRole('dialog', { name: '确认是你本人' })
    await view.user.type(await within(proof).findByLabelText('当前密码'), 'my-password')
    plane.answer(twoFactor.reset, undefined)
    await view.user.click(within(proof).getByRole('button', { name: '继续' }))

    expect(await screen.findByText('操作成功完成！')).toBeTruthy()
    expect(plane.to(twoFactor.reset).at(-1)?.path).toBe('/api/user/2/two-factor')
  })

  it('lists the tokens of the user without their keys, and leads from each to its requests', async () => {
    const token = {
      id: 8,
      name: 'of the app',
      masked_key: 'sk-abcd…wxyz',
      status: 3,
      group: '',
      remain_quota: 0,
      unlimited_quota: false,
      used_quota: 1_000_000,
      created_time: 1_790_000_000,
      accessed_time: 1_790_000_500,
      expired_time: -1,
    }
    const unused = {
      ...token,
      id: 9,
      name: 'spare',
      masked_key: 'sk-bbbb…xxxx',
      status: 1,
      used_quota: 0,
      accessed_time: token.created_time,
    }
    plane.answer(users.tokens, { items: [token, unused], total: 6, page: 1, page_size: 5 })
    const view = await open('/user?open=2')

    const tokens = await screen.findByRole('region', { name: '令牌' })
    for (const text of ['of the app', 'sk-abcd…wxyz', '已过期', '$2.00']) expect(await within(tokens).findByText(text)).toBeTruthy()
    const [used, spare] = within(tokens).getAllByRole('listitem')
    expect(used?.textContent).not.toContain('还没有请求')
    expect(spare?.textContent).toContain('还没有请求')
    const [link] = within(tokens).getAllByRole('link', { name: '查看日志' })
    expect(new URL(link?.getAttribute('href') ?? '', 'http://x').searchParams.get('token_name')).toBe('of the app')
    await view.user.click(within(tokens).getByRole('button', { name: '下一页' }))
    await waitFor(() => expect(plane.to(users.tokens).map(({ query }) => query['p'])).toEqual(['1', '2']))
  })

  it('saves the statement of a month of the user as a file', async () => {
    const parts: string[] = []
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      if (blob instanceof Blob) void blob.text().then((text) => parts.push(text))
      return 'blob:file'
    })
    const line = { kind: 'admin', at: 1_790_000_000, reference: 'x', note: '退款', amount: -5, balance: 10, requests: 0 } as const
    plane.answer(statements.monthOf, { month: '2026-09', opening: 15, closing: 10, lines: [line], is_cut: false })
    const view = await open('/user?open=2')
    await view.user.click(await screen.findByRole('button', { name: '导出账单（CSV）' }))

    await waitFor(() => expect(parts).toHaveLength(1))
    expect(plane.to(statements.monthOf)[0]?.path).toBe('/api/user/2/wallet/statement')
    expect(parts[0]).toMatch(/退款,x,-5,10/)
    vi.restoreAllMocks()
  })
})
