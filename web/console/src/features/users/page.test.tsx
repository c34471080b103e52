import { screen, waitFor, within } from '@testing-library/react'
import { groups } from '@tollgate/contracts/resources/groups'
import { users } from '@tollgate/contracts/resources/users'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { session } from '../../lib/session.ts'
import { aStoredUser, aUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const plane = planeForTests()
const page = (items: readonly ReturnType<typeof aUser>[], total = items.length) => ({ items: [...items], total, page: 1, page_size: 10 })

beforeEach(() => {
  session.start(aStoredUser())
  plane.answer(groups.list, ['default', 'vip'])
  plane.answer(
    users.search,
    page([
      aUser({ id: 2, username: 'alice', display_name: 'Alice', role: 10, quota: 500_000, request_count: 1_234 }),
      aUser({ id: 3, username: '=cmd()', role: 1, status: 2, DeletedAt: '2026-01-01T00:00:00Z' }),
    ]),
  )
})

describe('the user list', () => {
  it('shows role, status, balance and the number of users', async () => {
    await open('/user')

    const row = (await screen.findByText('alice · Alice')).closest('tr') ?? document.body
    for (const text of ['管理员', '已激活', '$1.00', '1,234']) expect(within(row).getByText(text)).toBeTruthy()
    expect(screen.getByText('第 1–2 条，共 2 条')).toBeTruthy()
    expect(screen.getByText('已注销')).toBeTruthy()
  })

  it('shows how many were invited, what that earned, and who invited', async () => {
    const invited = aUser({ id: 4, username: 'bob', display_name: 'Bob', aff_count: 3, aff_history_quota: 1_000_000, inviter_id: 2 })
    plane.answer(users.search, page([invited, aUser({ id: 5, username: 'carol', display_name: 'Carol' })]))
    await open('/user')

    const textOf = async (name: string) => (await screen.findByText(name)).closest('tr')?.textContent
    expect(await textOf('bob · Bob')).toContain('邀请 3 人 · $2.00 · 邀请人 2')
    expect(await textOf('carol · Carol')).toContain('邀请 0 人 · $0.00 · 无邀请人')
  })

  it('keeps search, group and page in the address, and a new filter returns to the first page', async () => {
    plane.answer(users.search, page([aUser({ id: 2, username: 'alice' })], 31))
    const view = await open('/user?page=2&group=vip')
    await screen.findByText(/^alice/)
    expect(plane.to(users.search)[0]?.query).toEqual({ p: '2', page_size: '10', keyword: '', group: 'vip' })

    await view.user.type(screen.getByPlaceholderText('搜索 ID、用户名、显示名称或邮箱'), 'al{Enter}')
    await waitFor(() => expect(view.address()).toBe('/user?keyword=al&group=vip'))
    await view.user.click(screen.getByRole('button', { name: '清除 分组' }))
    await waitFor(() => expect(view.address()).toBe('/user?keyword=al'))
  })

  it('offers the groups of the server as a filter', async () => {
    const view = await open('/user')
    await view.user.selectOptions(await screen.findByRole('combobox', { name: '分组' }), 'vip')

    await waitFor(() => expect(plane.to(users.search).at(-1)?.query).toMatchObject({ group: 'vip' }))
  })

  it('reads again on demand', async () => {
    const view = await open('/user')
    await screen.findByText('alice · Alice')
    plane.answer(users.search, page([aUser({ id: 9, username: 'new' })]))

    await view.user.click(screen.getByRole('button', { name: '刷新' }))

    expect(await screen.findByText(/^new/)).toBeTruthy()
  })

  it('is saved as a file that no spreadsheet runs', async () => {
    const parts: string[] = []
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      if (blob instanceof Blob) void blob.text().then((text) => parts.push(text))
      return 'blob:file'
    })
    const view = await open('/user')
    await screen.findByText('alice · Alice')

    await view.user.click(screen.getByRole('button', { name: '导出本页（CSV）' }))

    await waitFor(() => expect(parts).toHaveLength(1))
    const lines = parts[0]?.replace('\uFEFF', '').split('\r\n') ?? []
    expect(lines[0]).toBe('ID,用户名,分组,剩余额度,已用额度,调用次数,邀请信息,角色,状态,邮箱')
    expect(lines[1]).toBe('2,alice,default,500000,0,1234,0 / 0 / 0,管理员,已激活,')
    expect(lines[2]).toMatch(/^3,'=cmd\(\),default,.*,普通用户,已注销/)
    vi.restoreAllMocks()
  })
})
