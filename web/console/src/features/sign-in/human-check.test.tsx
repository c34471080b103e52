import { screen, waitFor } from '@testing-library/react'
import { signIn } from '@tollgate/contracts/resources/sign-in'
import { status } from '@tollgate/contracts/resources/status'
import { tokens } from '@tollgate/contracts/resources/tokens'
import { afterEach, expect, it } from 'vitest'
import { aStatus, aUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'
import { fakeTurnstile } from '../../testing/turnstile.ts'

const plane = planeForTests()
const script = (): HTMLScriptElement | null => document.querySelector('script[src^="https://challenges.cloudflare.com/"]')
afterEach(() => script()?.remove())

it('does not load the human check while it is off', async () => {
  await open('/login')

  expect(await screen.findByRole('button', { name: '登录' })).toBeTruthy()
  expect(script()).toBeNull()
})

it('loads the human check when it is on, waits for its token, sends it, and asks for a new one after a refusal', async () => {
  plane.answer(status.get, aStatus({ turnstile_check: true, turnstile_site_key: 'site-key' }))
  plane.refuse(signIn.create, '用户名或密码错误')
  const turnstile = fakeTurnstile()
  const view = await open('/login')
  await view.user.type(await screen.findByLabelText('用户名或邮箱'), 'alice')
  await view.user.type(screen.getByLabelText('密码'), 'correct horse')
  await waitFor(() => expect(turnstile.render).toHaveBeenCalledWith(expect.anything(), expect.objectContaining({ sitekey: 'site-key' })))

  await view.user.click(screen.getByRole('button', { name: '登录' }))
  expect(await screen.findByText('请稍后几秒重试，Turnstile 正在检查用户环境！')).toBeTruthy()
  expect(plane.to(signIn.create)).toHaveLength(0)

  turnstile.pass('token-1')
  await view.user.click(screen.getByRole('button', { name: '登录' }))
  expect(await screen.findByText('用户名或密码错误')).toBeTruthy()
  expect(plane.to(signIn.create)[0]).toMatchObject({ query: { turnstile: 'token-1' } })

  await waitFor(() => expect(turnstile.render).toHaveBeenCalledTimes(2))
  plane.answer(signIn.create, aUser({ id: 7 }))
  plane.answer(tokens.list, [])
  plane.answer(tokens.count, { total: 0 })
  turnstile.pass('token-2')
  await view.user.click(screen.getByRole('button', { name: '登录' }))
  await waitFor(() => expect(view.address()).toBe('/token'))
  expect(plane.to(signIn.create)[1]).toMatchObject({ query: { turnstile: 'token-2' } })
  turnstile.restore()
})
