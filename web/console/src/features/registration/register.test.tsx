import { screen, waitFor } from '@testing-library/react'
import { registration } from '@tollgate/contracts/resources/registration'
import { status } from '@tollgate/contracts/resources/status'
import { describe, expect, it } from 'vitest'
import { storage } from '../../lib/storage.ts'
import { aStatus } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const plane = planeForTests()
const PASSWORD = 'a-good-password'

const fill = async (view: Awaited<ReturnType<typeof open>>, values: Readonly<Record<string, string>>): Promise<void> => {
  for (const [label, value] of Object.entries(values)) await view.user.type(await screen.findByLabelText(label), value)
}
const submit = (view: Awaited<ReturnType<typeof open>>) => view.user.click(screen.getByRole('button', { name: '注册' }))

describe('the registration page', () => {
  it('registers with the invite code of the link, says so and goes to sign-in', async () => {
    plane.answer(registration.create, undefined)
    const view = await open('/register?aff=XyZ9')
    await fill(view, { 用户名: 'alice', 密码: PASSWORD, 确认密码: PASSWORD })
    expect(screen.getByPlaceholderText('8 到 20 个字符')).toBe(screen.getByLabelText('密码'))

    await submit(view)

    await waitFor(() => expect(view.address()).toBe('/login'))
    expect(screen.getByText('注册成功！')).toBeTruthy()
    expect(plane.to(registration.create)[0]).toMatchObject({
      query: { turnstile: '' },
      body: { username: 'alice', password: PASSWORD, password2: PASSWORD, email: '', verification_code: '', aff_code: 'XyZ9' },
    })
    expect(storage.get('aff')).toBeUndefined()
  })

  it.each([
    [{ 密码: PASSWORD, 确认密码: PASSWORD }, '请输入用户名和密码！'],
    [{ 用户名: 'alice', 密码: 'seven-7', 确认密码: 'seven-7' }, '密码长度不得小于 8 位！'],
    [{ 用户名: 'alice', 密码: PASSWORD, 确认密码: 'another-password' }, '两次输入的密码不一致'],
  ])('refuses %j without asking the server', async (values, text) => {
    const view = await open('/register')
    await fill(view, values)

    await submit(view)

    expect(await screen.findByText(text)).toBeTruthy()
    expect(plane.to(registration.create)).toHaveLength(0)
  })

  it('mails a code, then blocks the button for thirty seconds', async () => {
    plane.answer(status.get, aStatus({ email_verification: true }))
    plane.answer(registration.sendCode, undefined)
    plane.refuse(registration.create, '验证码错误或已过期')
    const view = await open('/register')
    const button = await screen.findByRole('button', { name: '获取验证码' })

    await view.user.click(button)
    expect(plane.to(registration.sendCode)).toHaveLength(0)
    await fill(view, { 用户名: 'alice', 密码: PASSWORD, 确认密码: PASSWORD, 邮箱: 'alice@example.org' })
    await view.user.click(button)

    expect(await screen.findByText('验证码发送成功，请检查你的邮箱！')).toBeTruthy()
    expect(plane.to(registration.sendCode)[0]).toMatchObject({ query: { email: 'alice@example.org', turnstile: '' } })
    expect(await screen.findByRole('button', { name: /^重新发送（(?:30|29)）$/ })).toHaveProperty('disabled', true)
    await submit(view)
    expect(await screen.findByText('请输入邮箱验证码！')).toBeTruthy()
    await fill(view, { 验证码: 'a1b2c3' })
    await submit(view)
    expect(await screen.findByText('验证码错误或已过期')).toBeTruthy()
  })

  it('does not exist in self-use mode', async () => {
    plane.answer(status.get, aStatus({ self_use_mode_enabled: true }))

    const view = await open('/register')

    await waitFor(() => expect(view.address()).toBe('/login'))
    expect(screen.queryByRole('link', { name: '注册账户' })).toBeNull()
    expect(screen.queryByRole('link', { name: '注册' })).toBeNull()
  })
})
