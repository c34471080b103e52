import { screen, waitFor, within } from '@testing-library/react'
import { signIn } from '@tollgate/contracts/resources/sign-in'
import { tokens } from '@tollgate/contracts/resources/tokens'
import { expect, it } from 'vitest'
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
