import { act, screen, waitFor } from '@testing-library/react'
import { oauth } from '@tollgate/contracts/resources/oauth'
import { status } from '@tollgate/contracts/resources/status'
import { tokens } from '@tollgate/contracts/resources/tokens'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { storage } from '../../lib/storage.ts'
import { aStatus, aStoredUser, aUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const plane = planeForTests()
const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)
beforeEach(() => {
  assign.mockClear()
  plane.answer(tokens.list, [])
  plane.answer(tokens.count, { total: 0 })
})
const onLogin = async (change: Parameters<typeof aStatus>[0]) => {
  plane.answer(status.get, aStatus(change))
  const view = await open('/login')
  await screen.findByLabelText('用户名或邮箱')
  return view
}

describe('the buttons of the registration page', () => {
  it('are those of the sign-in page, and carry the invite code of the link', async () => {
    plane.answer(status.get, aStatus({ github_oauth: true, oidc_enabled: true }))
    plane.answer(oauth.start, { url: 'https://provider.example/authorize?state=s' })
    const view = await open('/register?aff=XyZ9')
    expect(await screen.findByRole('button', { name: /OIDC/ })).toBeTruthy()
    expect(screen.queryByRole('button', { name: /Linux DO/ })).toBeNull()

    await view.user.click(screen.getByRole('button', { name: /GitHub/ }))

    await waitFor(() => expect(assign).toHaveBeenCalledWith('https://provider.example/authorize?state=s'))
    expect(plane.to(oauth.start)[0]).toMatchObject({ body: { provider: 'github', purpose: 'sign-in', aff: 'XyZ9' } })
  })
})

describe('the buttons of the sign-in page', () => {
  it('are absent while every provider is off', async () => {
    await onLogin({})

    expect(screen.queryByRole('button', { name: /使用 .* 登录/ })).toBeNull()
  })

  it.each([
    ['github_oauth', 'GitHub', 'github'],
    ['oidc_enabled', 'OIDC', 'oidc'],
    ['linuxdo_oauth', 'Linux DO', 'linuxdo'],
  ] as const)('%s: go to the page that the server names, with the invite code', async (flag, name, provider) => {
    storage.set('aff', 'XyZ9')
    plane.answer(oauth.start, { url: 'https://provider.example/authorize?state=s' })
    const view = await onLogin({ [flag]: true })

    await view.user.click(screen.getByRole('button', { name: `使用 ${name} 登录` }))

    await waitFor(() => expect(assign).toHaveBeenCalledWith('https://provider.example/authorize?state=s'))
    expect(plane.to(oauth.start)[0]).toMatchObject({ body: { provider, purpose: 'sign-in', aff: 'XyZ9' } })
  })

  it('WeChat: show the QR image, ask for the code, sign in and go home', async () => {
    plane.answer(oauth.wechat, aUser({ id: 9, username: 'wx' }))
    plane.answer(oauth.state, 'a-state')
    const view = await onLogin({ wechat_login: true, wechat_qrcode: 'https://img.example/qr.png' })

    await view.user.click(screen.getByRole('button', { name: '使用微信登录' }))
    expect((await screen.findByAltText('公众号二维码')).getAttribute('src')).toBe('https://img.example/qr.png')
    expect(screen.getByText(/三分钟内有效/)).toBeTruthy()
    await view.user.click(screen.getByRole('button', { name: '登录', hidden: false }))
    expect(await screen.findByText('请输入验证码！')).toBeTruthy()
    await view.user.type(screen.getByLabelText('验证码'), '1234{Enter}')

    await waitFor(() => expect(view.address()).toBe('/'))
    expect(plane.to(oauth.wechat)[0]).toMatchObject({ query: { code: '1234', state: 'a-state' } })
    expect(storage.get('user')).toMatchObject({ id: 9 })
  })

  it('Telegram: sign in with what its frame posts, and ignore other frames', async () => {
    plane.answer(oauth.telegram, aUser({ id: 5 }))
    plane.answer(oauth.state, 'a-state')
    const append = vi.spyOn(HTMLElement.prototype, 'append').mockImplementation(() => undefined)
    const view = await onLogin({ telegram_oauth: true, telegram_bot_name: 'gate_bot' })
    await screen.findByText('正在加载 Telegram 登录按钮…')
    const [script] = append.mock.calls.flat().filter((node) => node instanceof HTMLScriptElement)
    append.mockRestore()
    const data = JSON.stringify({ event: 'auth_user', auth_data: { id: 42, first_name: 'Lin', auth_date: 1, hash: 'h' } })

    act(() => void window.dispatchEvent(new MessageEvent('message', { origin: 'https://evil.example', data })))
    act(() => void window.dispatchEvent(new MessageEvent('message', { origin: 'https://oauth.telegram.org', data })))

    await waitFor(() => expect(view.address()).toBe('/'))
    expect(script?.dataset['telegramLogin']).toBe('gate_bot')
    expect(plane.to(oauth.telegram)).toHaveLength(1)
    expect(plane.to(oauth.telegram)[0]?.query).toEqual({ id: '42', first_name: 'Lin', auth_date: '1', hash: 'h', state: 'a-state' })
  })
})

describe('the page that a provider sends the browser back to', () => {
  afterEach(() => vi.restoreAllMocks())

  it('hands code and state in as they came, stores the user and goes to /token', async () => {
    plane.answer(oauth.github, aUser({ id: 7, username: 'octo' }))
    const view = await open('/oauth/github?code=12e34&state=000123')

    await waitFor(() => expect(view.address()).toBe('/token'))
    expect(plane.to(oauth.github)).toHaveLength(1)
    expect(plane.to(oauth.github)[0]?.query).toMatchObject({ code: '12e34', state: '000123' })
    expect(storage.get('user')).toMatchObject({ id: 7 })
    expect(screen.getByText('登录成功！')).toBeTruthy()
  })

  it('says that it works', async () => {
    plane.silence(oauth.linuxdo)
    plane.refuse(oauth.oidc, 'x')
    void open('/oauth/oidc?code=1&state=2')

    expect(await screen.findByText('处理中…')).toBeTruthy()
  })

  it('says that the account is bound', async () => {
    storage.set('user', aStoredUser({ role: 1 }))
    plane.answer(oauth.oidc, undefined, 'bind')
    const view = await open('/oauth/oidc?code=1&state=2')

    // Before the page behind it has loaded: the next toast replaces this one.
    expect(await screen.findByText('绑定成功！')).toBeTruthy()
    await waitFor(() => expect(view.address()).toBe('/personal'))
    expect(storage.get('user')).toMatchObject({ id: 1 })
  })

  it('shows the reason and leads to the sign-in page when it failed', async () => {
    plane.refuse(oauth.linuxdo, '管理员关闭了新用户注册')
    const view = await open('/oauth/linuxdo?code=1&state=2')

    await waitFor(() => expect(view.address()).toBe('/login'))
    expect(screen.getByText('管理员关闭了新用户注册 — 操作失败，正在跳转至登录页面')).toBeTruthy()
    expect(storage.get('user')).toBeUndefined()
  })

  it('says in the reader’s language that a state is no longer valid', async () => {
    plane.fail(oauth.github, 403, { success: false, message: 'state is empty or not same' })
    await open('/oauth/github?code=1&state=2', { language: 'en' })

    const text = 'This login request has expired or was used already. Please start again. — Operation failed, redirecting to login page'
    expect(await screen.findByText(text)).toBeTruthy()
  })

  it('exists for the three providers only', async () => {
    await open('/oauth/other?code=1')

    expect(await screen.findByText('页面不存在')).toBeTruthy()
  })
})
