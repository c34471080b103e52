import { channels } from '@tollgate/contracts/resources/channels'
import { csvExports } from '@tollgate/contracts/resources/exports'
import { self } from '@tollgate/contracts/resources/self'
import { status } from '@tollgate/contracts/resources/status'
import { tokens } from '@tollgate/contracts/resources/tokens'
import { beforeAll, describe, expect, it } from 'vitest'
import { changeLanguage } from '../i18n/change-language.ts'
import { startTexts } from '../i18n/start.ts'
import { aStoredUser } from '../testing/factories.ts'
import { planeForTests } from '../testing/plane.ts'
import { addressOf, call, callForFile, callForMessage, keyOf, whenUnauthorized } from './api.ts'
import { failureText } from './report.ts'
import { session } from './session.ts'

const plane = planeForTests()
beforeAll(() => startTexts('zh'))

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => new Error('It succeeded'),
    (error: unknown) => error,
  )

describe('call', () => {
  it('sends who is asking, in which language, and asks not to be cached', async () => {
    session.start(aStoredUser({ id: 42 }))
    await changeLanguage('en')
    plane.answer(status.notice, 'hello')

    const notice = await call(status.notice, {})

    const headers = plane.to(status.notice)[0]?.headers
    expect(notice).toBe('hello')
    expect([headers?.get('New-API-User'), headers?.get('Cache-Control'), headers?.get('Accept-Language')]).toEqual(['42', 'no-store', 'en'])
    await changeLanguage('zh')
  })

  it('sends user id -1 without a signed-in user', async () => {
    plane.answer(status.notice, '')

    await call(status.notice, {})

    expect(plane.to(status.notice)[0]?.headers.get('New-API-User')).toBe('-1')
  })

  it('gives the whole body where the endpoint has its own shape', async () => {
    plane.answer(channels.test, { success: true, message: '', time: 0.42 })

    expect(await call(channels.test, { params: { id: 3 }, query: { model: 'm' } })).toMatchObject({ time: 0.42 })
    expect(plane.to(channels.test)[0]).toMatchObject({ path: '/api/channel/test/3', query: { model: 'm' } })
  })

  it('gives the message beside the data when it is asked for', async () => {
    plane.answer(self.transferInviteQuota, undefined, '划转成功')

    expect(await callForMessage(self.transferInviteQuota, { body: { quota: 1 } })).toMatchObject({ message: '划转成功' })
  })

  it('saves no refusal as a file', async () => {
    plane.refuse(csvExports.ownLogs, '时间跨度不能超过 31 天')

    expect(failureText(await failureOf(callForFile(csvExports.ownLogs, { query: {} })))).toBe('时间跨度不能超过 31 天')
  })

  it('reads a refusal with status 400 as one with status 200', async () => {
    plane.fail(status.notice, 400, { success: false, message: '请输入数字' })

    expect(await failureOf(call(status.notice, {}))).toMatchObject({ failure: { kind: 'refused', message: '请输入数字' } })
  })

  it('tells the session’s end once per answer of 401', async () => {
    let told = 0
    whenUnauthorized(() => (told += 1))
    plane.fail(status.notice, 401)

    await failureOf(call(status.notice, {}))

    expect(told).toBe(1)
  })
})

describe('the text of a failure', () => {
  it.each([
    [429, '错误：请求次数过多，请稍后再试！'],
    [500, '错误：服务器内部错误，请联系管理员！'],
    [405, '本站仅作演示之用，无服务端！'],
    [401, undefined],
  ])('is the specified one for HTTP %i', async (httpStatus, text) => {
    plane.fail(status.notice, httpStatus)

    expect(failureText(await failureOf(call(status.notice, {})))).toBe(text)
  })

  it('is the message of a limit that names a field', async () => {
    plane.fail(status.notice, 429, { success: false, message: 'This address was sent an invitation just now', field: 'email' })
    const error = await failureOf(call(status.notice, {}))

    expect(failureText(error)).toBe('This address was sent an invitation just now')
    expect(error).toMatchObject({ failure: { field: 'email' } })
  })

  it('is the prefix and the message for any other HTTP error', async () => {
    plane.fail(status.notice, 403, { success: false, message: 'setup required' })

    expect(failureText(await failureOf(call(status.notice, {})))).toBe('错误：setup required')
  })

  it('is the status line when an error has no body to read', async () => {
    plane.fail(status.notice, 502, null)

    expect(failureText(await failureOf(call(status.notice, {})))).toMatch(/^错误：502/)
  })

  it('is the server’s own word for a refusal', async () => {
    plane.refuse(tokens.create, '令牌名称过长')

    expect(failureText(await failureOf(call(tokens.create, { body: { name: 'x' } })))).toBe('令牌名称过长')
  })

  it('is in the reader’s language where the server’s is English for every caller', async () => {
    plane.refuse(tokens.create, 'record not found')

    expect(failureText(await failureOf(call(tokens.create, { body: { name: 'x' } })))).toBe('记录不存在，可能已被删除。')
  })

  it('has the prefix when nothing answered', async () => {
    plane.silence(status.notice)

    expect(failureText(await failureOf(call(status.notice, {})))).toMatch(/^错误：./)
  })
})

describe('addresses and keys', () => {
  it('fills parameters and leaves out what is undefined', () => {
    expect(addressOf(tokens.search, undefined, { keyword: 'a b&c', token: undefined })).toBe('/api/token/search?keyword=a+b%26c')
    expect(addressOf(tokens.get, { id: 7 }, undefined)).toBe('/api/token/7')
  })

  it('puts the resource first, so that one change drops all lists of it', () => {
    expect(keyOf(tokens.list, { p: 0 })).toEqual(['token', 'GET /api/token/', { p: 0 }])
    expect(keyOf(tokens.search)[0]).toBe('token')
  })
})
