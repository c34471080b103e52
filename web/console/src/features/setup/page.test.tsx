import { screen, waitFor } from '@testing-library/react'
import { setup } from '@tollgate/contracts/resources/setup'
import { signIn } from '@tollgate/contracts/resources/sign-in'
import { status } from '@tollgate/contracts/resources/status'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { session } from '../../lib/session.ts'
import { aSetupStatus, aStatus, aUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const plane = planeForTests()
beforeEach(() => {
  plane.answer(status.get, aStatus({ setup: false }))
  plane.answer(setup.get, aSetupStatus())
})

const fill = async (
  view: Awaited<ReturnType<typeof open>>,
  { username = 'boss', password = 'password-1', confirm = '' } = {},
): Promise<void> => {
  const box = await screen.findByLabelText(/管理员用户名/)
  if (username !== '') await view.user.type(box, username)
  await view.user.type(screen.getByLabelText(/^密码/), password)
  await view.user.type(screen.getByLabelText(/^确认密码/), confirm === '' ? password : confirm)
}
const initialise = (view: Awaited<ReturnType<typeof open>>): Promise<void> =>
  view.user.click(screen.getByRole('button', { name: '初始化系统' }))

describe('the setup page', () => {
  it.each(['/', '/login', '/token', '/pricing', '/nowhere'])('is where every page leads while the site is not set up: %s', async (path) => {
    const view = await open(path)

    expect(await screen.findByRole('heading', { name: '系统初始化' })).toBeTruthy()
    expect(view.address()).toBe('/setup')
  })

  it('sends what was typed with the one-time code of the address, says it worked and reloads after 1.5 seconds', async () => {
    const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined)
    plane.answer(setup.create, undefined, '系统初始化成功')
    const view = await open('/setup?code=ABCD')
    await fill(view)
    await view.user.click(screen.getByRole('radio', { name: /自用/ }))

    await initialise(view)

    expect(await screen.findByText('系统初始化成功')).toBeTruthy()
    expect(plane.to(setup.create)[0]?.body).toEqual({
      username: 'boss',
      password: 'password-1',
      confirmPassword: 'password-1',
      SelfUseModeEnabled: true,
      DemoSiteEnabled: false,
      code: 'ABCD',
    })
    expect(reload).not.toHaveBeenCalled()
    await waitFor(() => expect(reload).toHaveBeenCalledOnce(), { timeout: 3000 })
    reload.mockRestore()
  })

  it('signs root in with the chosen password', async () => {
    const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined)
    plane.answer(setup.create, undefined, '系统初始化成功')
    plane.answer(signIn.create, aUser({ id: 1, username: 'boss', role: 100 }))
    const view = await open('/setup')
    await fill(view)
    expect(screen.getByRole<HTMLInputElement>('radio', { name: /对外运营/ }).checked).toBe(true)

    await initialise(view)

    expect(plane.to(setup.create)[0]?.body).toMatchObject({ SelfUseModeEnabled: false, DemoSiteEnabled: false })
    await waitFor(() => expect(session.user()).toMatchObject({ username: 'boss', role: 100 }))
    expect(plane.to(signIn.create)[0]?.body).toEqual({ username: 'boss', password: 'password-1' })
    reload.mockRestore()
  })

  it('names every wrong field and asks nothing of the server', async () => {
    const view = await open('/setup')
    await fill(view, { username: '', password: 'short', confirm: 'other' })

    await initialise(view)

    expect(screen.getAllByText('请输入管理员用户名').length).toBeGreaterThan(0)
    expect(screen.getByText('密码长度至少为8个字符')).toBeTruthy()
    expect(screen.getByText('两次输入的密码不一致')).toBeTruthy()
    expect(plane.to(setup.create)).toHaveLength(0)
  })

  it('shows the server’s reason and that initialisation was refused', async () => {
    plane.refuse(setup.create, '初始化口令不正确')
    const view = await open('/setup')
    await fill(view)

    await initialise(view)

    expect(await screen.findByText('初始化失败，请重试 · 初始化口令不正确')).toBeTruthy()
  })

  it('says that the system failed when the call itself fails', async () => {
    plane.fail(setup.create, 500)
    const view = await open('/setup', { language: 'en' })
    await view.user.type(await screen.findByLabelText(/Admin username/), 'boss')
    await view.user.type(screen.getByLabelText(/^Password/), 'password-1')
    await view.user.type(screen.getByLabelText(/^Confirm password/), 'password-1')

    await view.user.click(screen.getByRole('button', { name: 'Initialise system' }))

    expect(await screen.findByText('System initialisation failed, please retry')).toBeTruthy()
  })

  it('says so when the setup status cannot be read', async () => {
    plane.fail(setup.get, 500)
    await open('/setup')

    expect(await screen.findByText('获取初始化状态失败')).toBeTruthy()
  })

  it('hides the account fields when the root account exists', async () => {
    plane.answer(setup.get, aSetupStatus({ root_init: true }))
    await open('/setup')

    expect(await screen.findByText('超级管理员已经存在，只需选择使用方式。')).toBeTruthy()
    expect(screen.queryByLabelText(/管理员用户名/)).toBeNull()
  })

  it.each([
    ['warns about SQLite', 'sqlite', 1],
    ['says nothing about Postgres', 'postgres', 0],
  ])('%s', async (_why, database_type, warnings) => {
    plane.answer(setup.get, aSetupStatus({ database_type }))
    await open('/setup')

    await screen.findByLabelText(/管理员用户名/)
    expect(screen.queryAllByText('你正在使用 SQLite 数据库')).toHaveLength(warnings)
  })

  it('asks for the one-time code where the server needs it', async () => {
    plane.answer(setup.get, aSetupStatus({ needs_code: true }))
    await open('/setup')

    expect(await screen.findByLabelText('一次性初始化口令')).toBeTruthy()
  })

  it('explains the usage modes in a dialog', async () => {
    const view = await open('/setup')

    await view.user.click(await screen.findByRole('button', { name: '三种方式有什么区别？' }))

    expect(await screen.findByRole('dialog', { name: '使用方式说明' })).toBeTruthy()
  })

  it('leads home when setup is done already', async () => {
    plane.answer(status.get, aStatus())
    plane.answer(setup.get, aSetupStatus({ status: true }))
    const assign = vi.spyOn(window.location, 'href', 'set').mockImplementation(() => undefined)
    const view = await open('/setup')

    await waitFor(() => expect(assign.mock.calls.length > 0 || view.address() === '/').toBe(true))
    assign.mockRestore()
  })
})
