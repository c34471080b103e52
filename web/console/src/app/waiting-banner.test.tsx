import { screen, waitFor } from '@testing-library/react'
import { self } from '@tollgate/contracts/resources/self'
import { status } from '@tollgate/contracts/resources/status'
import { tokens } from '@tollgate/contracts/resources/tokens'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { session } from '../lib/session.ts'
import { openWaits } from '../lib/waits.ts'
import { aToken } from '../testing/token-factories.ts'
import { aStoredUser } from '../testing/factories.ts'
import { planeForTests } from '../testing/plane.ts'
import { open } from '../testing/render.tsx'

const plane = planeForTests()
const never = new Promise<Response>(() => undefined)

beforeEach(() => {
  session.start(aStoredUser({ role: 1 }))
  plane.answer(self.groups, {})
  plane.answer(tokens.count, { total: 1 })
})

describe('a page that is refused as one call too many', () => {
  it('says how long it waits, and goes on by itself', async () => {
    let isLimited = true
    plane.server.use(
      http.get('*/api/token/', () => {
        if (isLimited) return HttpResponse.json({ success: false, message: '' }, { status: 429, headers: { 'Retry-After': '2' } })
        return HttpResponse.json({
          success: true,
          message: '',
          data: [aToken({ name: 'app' })],
        })
      }),
    )
    await open('/token')

    expect(await screen.findByText(/^请求过于频繁，页面将在 [12] 秒后自动继续。$/, undefined, { timeout: 10_000 })).toBeTruthy()
    isLimited = false
    expect(await screen.findByText('app')).toBeTruthy()
    await waitFor(() => expect(screen.queryByText(/页面将在/)).toBeNull())
    expect(screen.queryByText('错误：请求次数过多，请稍后再试！')).toBeNull()
  })
})

describe('a page whose calls get no answer', () => {
  it.each([
    [['redis'], 'Redis 没有响应，恢复后页面会自动继续。'],
    [['postgres'], '数据库（Postgres）没有响应，恢复后页面会自动继续。'],
    [['postgres', 'redis'], 'Postgres 和 Redis 没有响应，恢复后页面会自动继续。'],
  ] as const)('says within three seconds that %s is away', async (away, text) => {
    plane.server.use(http.get('*/api/token/', () => never))
    plane.answer(status.stores, [...away])
    await open('/token')

    expect(await screen.findByText(text, undefined, { timeout: 3000 })).toBeTruthy()
  })

  it('says what is away when calls fail at once, and reads again by itself when it is back', async () => {
    plane.fail(tokens.list, 503)
    plane.answer(status.stores, ['redis'])
    await open('/token')
    expect(await screen.findByText('Redis 没有响应，恢复后页面会自动继续。')).toBeTruthy()

    plane.answer(tokens.list, [aToken({ name: 'app' })])
    plane.answer(status.stores, [])

    expect(await screen.findByText('app')).toBeTruthy()
    expect(screen.queryByText(/没有响应/)).toBeNull()
  })

  it('says that the server is away, where nothing answers', async () => {
    plane.server.use(http.get('*/api/token/', () => never))
    plane.silence(status.stores)
    await open('/token')

    expect(await screen.findByText('服务器没有响应，恢复后页面会自动继续。', undefined, { timeout: 3000 })).toBeTruthy()
  })

  it('says nothing while all stores answer and a call only takes long', async () => {
    plane.server.use(http.get('*/api/token/', () => never))
    plane.answer(status.stores, [])
    await open('/token')
    await waitFor(() => expect(plane.to(status.stores).length).toBeGreaterThan(0))

    expect(screen.queryByText(/没有响应/)).toBeNull()
  })

  it('shows why a call fails while all stores answer, and does not repeat it without end', async () => {
    plane.fail(tokens.list, 503, { success: false, message: '日志存储没有响应' })
    plane.answer(status.stores, [])
    await open('/token')
    const reason = () => screen.findByText(/日志存储没有响应/, undefined, { timeout: 8000 })
    await reason()
    await waitFor(() => expect(openWaits.current().hasFailed).toBe(false))

    expect(await reason()).toBeTruthy()
    expect(plane.to(tokens.list).length).toBe(3)
  })

  it('shows at once why a call fails that needs some time, and leaves the next try to the reader', async () => {
    let calls = 0
    plane.server.use(
      http.get('*/api/token/', () => {
        calls += 1
        return HttpResponse.json({ success: false, message: '日志存储没有响应' }, { status: 503, headers: { 'Retry-After': '5' } })
      }),
    )
    plane.answer(status.stores, [])
    await open('/token')

    expect(await screen.findByText(/日志存储没有响应/, undefined, { timeout: 8000 })).toBeTruthy()
    expect(calls).toBe(1)
  })

  it('is not empty: the registration form is there before the status of the site is', async () => {
    session.end()
    plane.server.use(http.get('*/api/status', () => never))
    await open('/register')

    expect(await screen.findByLabelText('密码', undefined, { timeout: 3000 })).toBeTruthy()
  })
})
