import { screen, waitFor } from '@testing-library/react'
import { registration } from '@tollgate/contracts/resources/registration'
import { status } from '@tollgate/contracts/resources/status'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { aStatus } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'
import { fakeTurnstile } from '../../testing/turnstile.ts'

const plane = planeForTests()
const turnstile = fakeTurnstile()
beforeEach(() => {
  turnstile.render.mockClear()
  plane.answer(status.get, aStatus({ turnstile_check: true, turnstile_site_key: 'site-key' }))
})
afterAll(() => turnstile.restore())

const WAIT = '请稍后几秒重试，Turnstile 正在检查用户环境！'

it('keeps a registration back until the human check gave a token', async () => {
  plane.answer(registration.create, undefined)
  const view = await open('/register')
  for (const [label, value] of Object.entries({ 用户名: 'alice', 密码: 'long-enough', 确认密码: 'long-enough' }))
    await view.user.type(await screen.findByLabelText(label), value)
  await waitFor(() => expect(turnstile.render).toHaveBeenCalled())
  await view.user.click(screen.getByRole('button', { name: '注册' }))
  expect(await screen.findByText(WAIT)).toBeTruthy()
  expect(plane.to(registration.create)).toHaveLength(0)

  turnstile.pass('token-1')
  await view.user.click(screen.getByRole('button', { name: '注册' }))

  await waitFor(() => expect(plane.to(registration.create)[0]).toMatchObject({ query: { turnstile: 'token-1' } }))
})

it('keeps a reset mail back until the human check gave a token', async () => {
  plane.answer(registration.sendReset, undefined, '重置邮件已发送')
  const view = await open('/reset')
  await view.user.type(await screen.findByLabelText('邮箱'), 'alice@example.org')
  await waitFor(() => expect(turnstile.render).toHaveBeenCalled())
  await view.user.click(screen.getByRole('button', { name: '发送重置邮件' }))
  expect(await screen.findByText(WAIT)).toBeTruthy()
  expect(plane.to(registration.sendReset)).toHaveLength(0)

  turnstile.pass('token-1')
  await view.user.click(screen.getByRole('button', { name: '发送重置邮件' }))

  await waitFor(() => expect(plane.to(registration.sendReset)[0]).toMatchObject({ query: { turnstile: 'token-1' } }))
})
