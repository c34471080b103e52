import { screen, waitFor, within } from '@testing-library/react'
import { groups } from '@tollgate/contracts/resources/groups'
import { users } from '@tollgate/contracts/resources/users'
import { expect, it } from 'vitest'
import { session } from '../../lib/session.ts'
import { aStoredUser, aUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const plane = planeForTests()

it('deletes after the name was typed, and shows the row as deactivated', async () => {
  const alice = aUser({ id: 2, username: 'alice', display_name: 'Alice', role: 1 })
  session.start(aStoredUser())
  plane.answer(groups.list, ['default'])
  plane.answer(users.search, { items: [alice], total: 1, page: 1, page_size: 10 })
  plane.answer(users.manage, aUser({ role: 1, status: 1 }))
  const view = await open('/user')
  const row = (await screen.findByText('alice · Alice')).closest('tr') ?? document.body
  await view.user.click(within(row).getByRole('button', { name: '更多操作' }))
  await view.user.click(await screen.findByRole('menuitem', { name: '注销' }))
  const dialog = await screen.findByRole('alertdialog')
  expect(within(dialog).getByText(/相当于删除用户，此修改将不可逆/)).toBeTruthy()
  plane.answer(users.search, { items: [{ ...alice, DeletedAt: '2026-01-01T00:00:00Z' }], total: 1, page: 1, page_size: 10 })
  await view.user.type(within(dialog).getByRole('textbox'), 'alice')
  await view.user.click(within(dialog).getByRole('button', { name: '注销' }))

  expect(await screen.findByText('已注销')).toBeTruthy()
  expect(plane.to(users.manage)[0]?.body).toEqual({ id: 2, action: 'delete' })
  expect(screen.queryByRole('button', { name: '更多操作' })).toBeNull()
})

it.each([
  ['promote', '提升为管理员', { role: 1 }, { role: 10 }, '普通用户', '管理员'],
  ['demote', '降级为普通用户', { role: 10 }, { role: 1 }, '管理员', '普通用户'],
  ['disable', '封禁', { role: 1, status: 1 }, { role: 1, status: 2 }, '已激活', '已封禁'],
  ['enable', '解除封禁', { role: 1, status: 2 }, { role: 1, status: 1 }, '已封禁', '已激活'],
])('sends %s, and asks before it unless it gives access back', async (action, label, was, is, before, after) => {
  const user = aUser({ id: 2, username: 'alice', display_name: 'Alice', ...was })
  const view = await openWith(user)
  const row = (await screen.findByText('alice · Alice')).closest('tr') ?? document.body
  expect([within(row).queryByText(before), within(row).queryByText(after)]).toEqual([expect.anything(), null])
  await view.user.click(await screen.findByRole('button', { name: '更多操作' }))
  // Opened by keyboard: the menu forgets in jsdom, after its first page, that there is a pointer.
  await waitFor(() => expect(screen.getByRole('menu')).toBe(document.activeElement))
  const place = screen.getAllByRole('menuitem').findIndex(({ textContent }) => textContent === label)
  plane.answer(users.manage, { ...user, ...is })
  plane.answer(users.search, { items: [{ ...user, ...is }], total: 1, page: 1, page_size: 10 })
  await view.user.keyboard(`${'{ArrowDown}'.repeat(place + 1)}{Enter}`)
  if (action !== 'enable') {
    const dialog = within(await screen.findByRole('alertdialog'))
    expect(plane.to(users.manage)).toHaveLength(0)
    await view.user.click(dialog.getByRole('button', { name: label }))
  }

  expect(await screen.findByText('操作成功完成！')).toBeTruthy()
  expect(plane.to(users.manage).map(({ body }) => body)).toEqual([{ id: 2, action }])
  expect(await within(row).findByText(after)).toBeTruthy()
  expect(within(row).queryByText(before)).toBeNull()
})

it('offers to edit each user', async () => {
  const view = await openWith(aUser({ id: 2, username: 'alice', role: 1 }))
  await view.user.click(await screen.findByRole('button', { name: '编辑' }))

  await waitFor(() => expect(view.address()).toBe('/user/edit/2'))
})

function openWith(user: ReturnType<typeof aUser>) {
  session.start(aStoredUser({ role: 100 }))
  plane.answer(groups.list, ['default'])
  plane.answer(users.search, { items: [user], total: 1, page: 1, page_size: 10 })
  plane.answer(users.manage, aUser({ role: 1, status: 1 }))
  return open('/user')
}
