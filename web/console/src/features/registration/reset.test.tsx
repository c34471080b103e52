import { screen } from '@testing-library/react'
import { registration } from '@tollgate/contracts/resources/registration'
import { describe, expect, it } from 'vitest'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const plane = planeForTests()

describe('the reset pages', () => {
  it('ask for the mail, say what the server says, and block the button', async () => {
    plane.answer(registration.sendReset, undefined, '如果该邮箱地址已注册，重置邮件已发送')
    const view = await open('/reset')
    await view.user.click(await screen.findByRole('button', { name: '发送重置邮件' }))
    expect(await screen.findByText('请输入邮箱！')).toBeTruthy()

    await view.user.type(screen.getByLabelText('邮箱'), 'alice@example.org{Enter}')

    expect(await screen.findByText('如果该邮箱地址已注册，重置邮件已发送')).toBeTruthy()
    expect(plane.to(registration.sendReset)).toHaveLength(1)
    expect(await screen.findByRole('button', { name: /^重新发送/ })).toHaveProperty('disabled', true)
  })

  it('set a new password on a click and show it once', async () => {
    plane.answer(registration.resetPassword, 'n3wPassw0rd9')
    const view = await open(`/user/reset?email=${encodeURIComponent('alice@example.org')}&token=0a1b`)
    expect(plane.to(registration.resetPassword)).toHaveLength(0)

    await view.user.click(await screen.findByRole('button', { name: '确认重置密码' }))

    expect(await screen.findByText('n3wPassw0rd9')).toBeTruthy()
    expect(plane.to(registration.resetPassword)[0]).toMatchObject({ body: { email: 'alice@example.org', token: '0a1b' } })
    expect(screen.getByRole('main').querySelector('a[href="/login"]')).toBeTruthy()
  })

  it('show the refusal of a link that was used, and the way to a new one', async () => {
    plane.refuse(registration.resetPassword, '重置链接非法或已过期')
    const view = await open('/user/reset?email=a%40b.org&token=0a1b')

    await view.user.click(await screen.findByRole('button', { name: '确认重置密码' }))

    expect(await screen.findByText('重置链接非法或已过期')).toBeTruthy()
    expect(screen.getByRole('main').querySelector('a[href="/reset"]')).toBeTruthy()
  })

  it('say that a link is incomplete', async () => {
    await open('/user/reset?email=a%40b.org')

    expect(await screen.findByText('重置链接不完整，请从邮件中重新打开')).toBeTruthy()
    expect(screen.getByRole('button', { name: '确认重置密码' })).toHaveProperty('disabled', true)
  })
})
