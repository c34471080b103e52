import { screen, within } from '@testing-library/react'
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
