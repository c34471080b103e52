import { screen, waitFor } from '@testing-library/react'
import { signIn } from '@tollgate/contracts/resources/sign-in'
import { tokens } from '@tollgate/contracts/resources/tokens'
import { beforeEach, describe, expect, it } from 'vitest'
import { storage } from '../../lib/storage.ts'
import { aUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const plane = planeForTests()
beforeEach(() => {
  plane.answer(tokens.list, [])
  plane.answer(tokens.count, { total: 0 })
})

const send = async (view: Awaited<ReturnType<typeof open>>, name: string, password: string): Promise<void> => {
  const boxes = { name: await screen.findByLabelText('用户名或邮箱'), password: screen.getByLabelText('密码') }
  if (name !== '') await view.user.type(boxes.name, name)
  if (password !== '') await view.user.type(boxes.password, password)
  await view.user.click(screen.getByRole('button', { name: '登录' }))
}

describe('the sign-in page', () => {
  it('signs in, stores the user, says so and goes to /token', async () => {
    plane.answer(signIn.create, aUser({ id: 7, username: 'alice', role: 1, display_name: 'Alice' }))
    const view = await open('/login')

    await send(view, 'alice', 'correct horse')

    await waitFor(() => expect(view.address()).toBe('/token'))
    expect(storage.get('user')).toEqual({ id: 7, username: 'alice', display_name: 'Alice', role: 1, status: 1, group: 'default' })
    expect(screen.getByText('登录成功！')).toBeTruthy()
    expect(plane.to(signIn.create)[0]).toMatchObject({ query: { turnstile: '' }, body: { username: 'alice', password: 'correct horse' } })
  })

  it('refuses an empty field without asking the server', async () => {
    const view = await open('/login')

    await send(view, 'alice', '')

    expect(await screen.findByText('请输入用户名和密码！')).toBeTruthy()
    expect(plane.to(signIn.create)).toHaveLength(0)
  })

  it('shows the server’s refusal word for word and stays', async () => {
    plane.refuse(signIn.create, '用户名或密码错误，或用户已被封禁')
    const view = await open('/login')

    await send(view, 'alice', 'wrong')

    expect(await screen.findByText('用户名或密码错误，或用户已被封禁')).toBeTruthy()
    expect(view.address()).toBe('/login')
    expect(storage.get('user')).toBeUndefined()
  })

  it('says why the visitor is here after a session ended', async () => {
    await open('/login?expired=true')

    expect(await screen.findByText('未登录或登录已过期，请重新登录')).toBeTruthy()
  })

  it('keeps an invite code for registration', async () => {
    await open('/login?aff=XyZ9')

    await screen.findByLabelText('用户名或邮箱')
    expect(storage.get('aff')).toBe('XyZ9')
  })

  it('warns root about the documented default password', async () => {
    plane.answer(signIn.create, aUser())
    const view = await open('/login')

    await send(view, 'root', '123456')

    expect(await screen.findByText('你正在使用默认密码，请立即修改密码！')).toBeTruthy()
  })

  it('shows and hides the password', async () => {
    const view = await open('/login', { language: 'en' })
    const box = await screen.findByLabelText('Password')

    await view.user.click(screen.getByRole('button', { name: 'Show password' }))

    expect(box.getAttribute('type')).toBe('text')
  })
})
