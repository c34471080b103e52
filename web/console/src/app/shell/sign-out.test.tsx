import { act, screen, waitFor, within } from '@testing-library/react'
import { signIn } from '@tollgate/contracts/resources/sign-in'
import { tokens } from '@tollgate/contracts/resources/tokens'
import { expect, it } from 'vitest'
import { call } from '../../lib/api.ts'
import { session } from '../../lib/session.ts'
import { aStoredUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const plane = planeForTests()

it('signs out: tells the server, forgets the user, goes to the sign-in page', async () => {
  session.start(aStoredUser({ role: 1, username: 'alice', display_name: 'Alice Liddell' }))
  plane.answer(tokens.list, [])
  plane.answer(tokens.count, { total: 0 })
  plane.answer(signIn.remove, undefined)
  const view = await open('/token')

  await view.user.click(await screen.findByRole('button', { name: '账户菜单' }))
  const menu = await screen.findByRole('menu')
  expect(within(menu).getByText('Alice Liddell')).toBeTruthy()
  expect(within(menu).getByText('alice')).toBeTruthy()
  await view.user.click(within(menu).getByRole('menuitem', { name: '退出登录' }))

  await waitFor(() => expect(view.address()).toBe('/login'))
  expect(plane.to(signIn.remove)).toHaveLength(1)
  expect([session.user(), localStorage.getItem('user')]).toEqual([undefined, null])
})

it('stays on the plain sign-in page when calls of the left page are refused, and tells of a later session that it ended', async () => {
  session.start(aStoredUser({ role: 1 }))
  plane.answer(tokens.list, [])
  plane.answer(tokens.count, { total: 0 })
  plane.answer(signIn.remove, undefined)
  const view = await open('/token')
  await view.user.click(await screen.findByRole('button', { name: '账户菜单' }))
  await view.user.click(await screen.findByRole('menuitem', { name: '退出登录' }))
  await waitFor(() => expect(view.address()).toBe('/login'))
  plane.fail(tokens.count, 401)
  const refused = () => act(async () => expect(call(tokens.count, {})).rejects.toThrow())

  await refused()
  expect(view.address()).toBe('/login')

  session.start(aStoredUser({ role: 1 }))
  await refused()
  await waitFor(() => expect(view.address()).toBe('/login?expired=true'))
})
