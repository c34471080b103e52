import { screen, waitFor, within } from '@testing-library/react'
import { oauth } from '@tollgate/contracts/resources/oauth'
import { registration } from '@tollgate/contracts/resources/registration'
import { self } from '@tollgate/contracts/resources/self'
import { sessions } from '@tollgate/contracts/resources/sessions'
import { status } from '@tollgate/contracts/resources/status'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { storage } from '../../../lib/storage.ts'
import { aStatus, aStoredUser, aUser } from '../../../testing/factories.ts'
import { planeForTests } from '../../../testing/plane.ts'
import { open } from '../../../testing/render.tsx'

const plane = planeForTests()
const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)
beforeEach(() => {
  storage.set('user', aStoredUser({ role: 1 }))
  plane.answer(status.get, aStatus({ github_oauth: true, wechat_login: true }))
  plane.answer(self.models, [])
})
const show = async (account: Parameters<typeof aUser>[0] = {}) => {
  plane.answer(self.get, aUser({ role: 1, ...account }))
  const view = await open('/personal')
  const panel = await screen.findByRole('region', { name: '账户绑定' })
  return { ...view, panel }
}

describe('bound accounts', () => {
  it('lists all six with what is bound, and offers what is on', async () => {
    const { panel } = await show({ email: 'a@b.example', github_id: '4711' })

    for (const name of ['邮箱', '微信', 'GitHub', 'OIDC', 'Telegram', 'Linux DO']) expect(within(panel).getByText(name)).toBeTruthy()
    expect(within(panel).getByText('4711')).toBeTruthy()
    expect(within(panel).getAllByText('未绑定；管理员未启用')).toHaveLength(3)
    expect(within(panel).getAllByRole('button', { name: /^绑定/ })).toHaveLength(1)
    expect(within(panel).getAllByRole('button', { name: /^解绑/ })).toHaveLength(2)
  })

  it('asks for the password when the server wants a proof, and then goes on', async () => {
    const { user, panel } = await show({ wechat_id: 'wx' })
    plane.refuse(oauth.start, '需要确认', 'proof')
    plane.refuse(sessions.prove, '原密码错误')

    await user.click(within(panel).getByRole('button', { name: '绑定 GitHub' }))
    await user.type(await screen.findByLabelText('当前密码'), 'wrong{Enter}')
    expect(await screen.findByText('原密码错误')).toBeTruthy()
    plane.answer(sessions.prove, undefined)
    plane.answer(oauth.start, { url: 'https://github.example/' })
    await user.type(screen.getByLabelText('当前密码'), '-right{Enter}')

    await waitFor(() => expect(assign).toHaveBeenCalledWith('https://github.example/'))
    expect(plane.to(sessions.prove)).toHaveLength(2)
    expect(plane.to(oauth.start)[1]?.body).toEqual({ provider: 'github', purpose: 'bind', aff: '' })
    await waitFor(() => expect(screen.queryByLabelText('当前密码')).toBeNull())
  })

  it('unbinds after a question, and shows why it was refused', async () => {
    const { user, panel } = await show({ github_id: '4711' })
    plane.refuse(oauth.unbind, '这是登录此账户的唯一方式')

    await user.click(within(panel).getByRole('button', { name: '解绑 GitHub' }))
    await user.click(within(await screen.findByRole('alertdialog', { name: '解绑 GitHub？' })).getByRole('button', { name: '解绑' }))

    expect(await screen.findByText('这是登录此账户的唯一方式')).toBeTruthy()
    expect(plane.to(oauth.unbind)[0]?.body).toEqual({ provider: 'github' })
  })

  it('binds an e-mail address with a mailed code, and waits before the next', async () => {
    const { user, panel } = await show({ wechat_id: 'wx', github_id: '1' })
    plane.answer(registration.sendCode, undefined)
    plane.answer(oauth.bindEmail, undefined)

    await user.click(within(panel).getByRole('button', { name: '绑定 邮箱' }))
    await user.click(await screen.findByRole('button', { name: '获取验证码' }))
    expect(await screen.findByText('请输入邮箱！')).toBeTruthy()
    await user.type(screen.getByLabelText('邮箱'), 'a@b.example')
    await user.click(screen.getByRole('button', { name: '获取验证码' }))
    expect(await screen.findByText('验证码发送成功，请检查你的邮箱！')).toBeTruthy()
    expect((await screen.findByRole('button', { name: /重新发送/ })).hasAttribute('disabled')).toBe(true)
    await user.type(screen.getByLabelText('邮箱'), '{Enter}')
    expect(await screen.findByText('请输入邮箱验证码！')).toBeTruthy()
    await user.type(screen.getByLabelText('邮箱验证码'), 'abc123{Enter}')

    expect(await screen.findByText('邮箱账户绑定成功！')).toBeTruthy()
    expect(plane.to(oauth.bindEmail)[0]?.query).toEqual({ email: 'a@b.example', code: 'abc123' })
  })
})
