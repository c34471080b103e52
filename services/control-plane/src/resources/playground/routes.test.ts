import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { holdTimers } from '@tollgate/testing/held-timers'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'
import { READER_TIMEOUT_S } from '../../long-answer.ts'

type Received = {
  readonly path: string
  readonly authorization: string
  readonly text: string
  readonly body: Record<string, unknown>
}

describe('the playground', () => {
  let relay: Server
  let test: TestApp
  let root: Caller
  const received: Received[] = []

  beforeAll(async () => {
    relay = createServer((incoming, reply) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString('latin1')
        const body = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {} // what the console sends
        if (body['model'] === 'endless') return void reply.writeHead(200).write('data: {}\n\n')
        received.push({ path: incoming.url ?? '', authorization: incoming.headers.authorization ?? '', text, body })
        reply.writeHead(200, { 'content-type': 'text/event-stream', 'x-oneapi-request-id': 'req-1', 'set-cookie': 'a=b' })
        reply.end('data: {"choices":[]}\n\ndata: [DONE]\n\n')
      })
    })
    relay.listen(0, '127.0.0.1')
    await once(relay, 'listening')
    const { port } = relay.address() as AddressInfo // a listening TCP server has one
    test = await createTestApp({ RELAY_URL: `http://127.0.0.1:${port}` })
    root = await test.setUp()
  })
  afterAll(async () => {
    await test.stop()
    relay.close()
  })
  beforeEach(() => void received.splice(0))

  const messages = [{ role: 'user', content: 'hi', id: '4', createAt: 1 }]
  const raw = async (caller: { cookie?: string; authorization?: string }, body: object, path = '/pg/chat/completions'): Promise<Response> =>
    await test.app.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'New-Api-User': '1', ...caller },
      body: JSON.stringify(body),
    })
  const signIn = async (username: string, password: string): Promise<string> => {
    const { headers } = await test.guest('POST', '/api/user/login', { username, password })
    return headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
  }
  const cookieOfRoot = () => signIn('root', 'a-long-password')

  it('sends role and content to the relay with a key of its own and passes the stream on', async () => {
    const cookie = await cookieOfRoot()

    const answer = await raw({ cookie }, { model: 'm', messages, stream: true, max_tokens: 0, temperature: 0, group: '' })

    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('x-oneapi-request-id')]).toEqual([
      200,
      'text/event-stream',
      'req-1',
    ])
    expect(await answer.text()).toBe('data: {"choices":[]}\n\ndata: [DONE]\n\n')
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(received[0]?.path).toBe('/v1/chat/completions')
    expect(received[0]?.authorization).toMatch(/^Bearer sk-[0-9A-Za-z]{48}$/)
    expect(received[0]?.body).toEqual({ model: 'm', messages: [{ role: 'user', content: 'hi' }], stream: true, temperature: 0 })
  })

  it('gives a user a share of the open answers, and a place again when one is over', async () => {
    const cookie = await cookieOfRoot()
    const open = await Promise.all(Array.from({ length: 16 }, () => raw({ cookie }, { model: 'endless', messages })))
    expect(open.map(({ status }) => status)).toEqual(Array(16).fill(200))

    const more = await raw({ cookie }, { model: 'm', messages })
    expect([more.status, await more.json()]).toMatchObject([429, { error: { code: 'too_many_streams' } }])
    await open[0]?.body?.cancel()
    const again = await raw({ cookie }, { model: 'm', messages })
    expect([again.status, await again.text()]).toMatchObject([200, expect.stringContaining('[DONE]')])
    await Promise.all(open.slice(1).map(async ({ body }) => await body?.cancel()))
  })

  it('ends an answer whose reader takes nothing for a minute', async () => {
    const cookie = await cookieOfRoot()
    const timers = holdTimers(READER_TIMEOUT_S * 1000)
    try {
      const open = await Promise.all(Array.from({ length: 16 }, () => raw({ cookie }, { model: 'endless', messages })))
      timers.advance(60_000)

      await expect(open[0]?.text()).rejects.toThrow('reader')
      const next = await raw({ cookie }, { model: 'm', messages })
      expect([next.status, await next.text()]).toMatchObject([200, expect.stringContaining('[DONE]')])
    } finally {
      timers.restore()
    }
  })

  it('uses one token per user and group, which no list shows', async () => {
    const cookie = await cookieOfRoot()
    await Promise.all([1, 2, 3].map(async () => await (await raw({ cookie }, { model: 'm', messages })).text()))

    const rows = await test.database.db
      .selectFrom('tokens')
      .select(['id', 'name', 'unlimited_quota'])
      .where('is_internal', '=', true)
      .execute()
    expect(rows).toMatchObject([{ name: 'playground-default', unlimited_quota: true }])
    expect(new Set(received.map(({ authorization }) => authorization)).size).toBe(1)
    expect((await root('GET', '/api/token/?p=0&size=100')).body.data).toEqual([])
    expect((await root('GET', '/api/token/search?keyword=playground&token=')).body.data).toEqual([])
    expect((await root('GET', `/api/token/${rows[0]?.id}`)).body.success).toBe(false)
    expect((await root('DELETE', `/api/token/${rows[0]?.id}`)).body.success).toBe(false)
  })

  it('asks for pictures and speech with the same token, without empty choices', async () => {
    const cookie = await cookieOfRoot()
    await (
      await raw({ cookie }, { model: 'image', prompt: 'a cat', size: '1024x1024', quality: '', channel: 5 }, '/pg/images/generations')
    ).text()
    await (await raw({ cookie }, { model: 'tts', input: 'Hello', voice: 'alloy' }, '/pg/audio/speech')).text()

    expect(received.map(({ path }) => path)).toEqual(['/v1/images/generations', '/v1/audio/speech'])
    expect(received.map(({ authorization }) => authorization.replace(/-5$/, ''))).toEqual(Array(2).fill(received[1]?.authorization))
    expect(received.map(({ body }) => body)).toEqual([
      { model: 'image', prompt: 'a cat', size: '1024x1024', n: 1 },
      { model: 'tts', input: 'Hello', voice: 'alloy', response_format: 'mp3', speed: 1 },
    ])
  })

  it('sends a recording on as a form', async () => {
    const answer = await test.app.request('/pg/audio/transcriptions?model=whisper-1&file_name=a.mp3&language=en', {
      method: 'POST',
      headers: { 'content-type': 'audio/mpeg', 'New-Api-User': '1', cookie: await cookieOfRoot() },
      body: 'SOUND',
    })

    expect([answer.status, received[0]?.path]).toEqual([200, '/v1/audio/transcriptions'])
    expect(received[0]?.authorization).toMatch(/^Bearer sk-[0-9A-Za-z]{48}$/)
    for (const part of [
      'name="model"\r\n\r\nwhisper-1',
      'name="language"\r\n\r\nen',
      'filename="a.mp3"\r\nContent-Type: audio/mpeg\r\n\r\nSOUND',
    ])
      expect(received[0]?.text).toContain(part)
  })

  it('refuses a recording over 25 MB before the relay is asked', async () => {
    const answer = await test.app.request('/pg/audio/transcriptions?model=whisper-1', {
      method: 'POST',
      headers: { 'content-type': 'audio/mpeg', 'New-Api-User': '1', cookie: await cookieOfRoot() },
      body: new Uint8Array(25 * 1024 * 1024 + 1),
    })

    expect(answer.status).toBe(413)
    expect(received).toHaveLength(0)
  })

  it('takes conversations with pictures, which are larger than other calls', async () => {
    const picture = `data:image/png;base64,${'A'.repeat(5 * 1024 * 1024)}`
    const content = [{ type: 'image_url', image_url: { url: picture } }]

    const answer = await raw({ cookie: await cookieOfRoot() }, { model: 'm', messages: [{ role: 'user', content }] })

    expect(answer.status).toBe(200)
    expect(received[0]?.body['messages']).toEqual([{ role: 'user', content }])
  })

  it('pins the channel that an administrator names', async () => {
    await (await raw({ cookie: await cookieOfRoot() }, { model: 'm', messages, channel: 5 })).text()

    expect(received[0]?.authorization).toMatch(/-5$/)
    expect(received[0]?.body).not.toHaveProperty('channel')
  })

  it.each([
    ['no model', { model: ' ' }, 400, '请选择模型', 'model_required'],
    ['a group that is not open to the user', { group: 'secret' }, 403, '无权访问该分组', 'group_not_allowed'],
  ])('refuses %s in the OpenAI format', async (_why, change, status, message, code) => {
    const answer = await raw({ cookie: await cookieOfRoot() }, { model: 'm', messages, ...change })

    expect([answer.status, await answer.json()]).toMatchObject([status, { error: { message, code } }])
    expect(received).toHaveLength(0)
  })

  it('refuses a system access token', async () => {
    const { body } = await root('GET', '/api/user/token')

    const answer = await raw({ authorization: String(body.data) }, { model: 'm', messages })

    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { message: '暂不支持使用 access token' } }])
  })

  it('refuses the channel of a user who is no administrator', async () => {
    await root('POST', '/api/user/', { username: 'anna', password: 'password-1', display_name: 'Anna' })
    const { body } = await test.guest('POST', '/api/user/login', { username: 'anna', password: 'password-1' })
    const { id } = body.data as { id: number } // the login answer, whose shape another test checks
    const answer = await test.app.request('/pg/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'New-Api-User': String(id), cookie: await signIn('anna', 'password-1') },
      body: JSON.stringify({ model: 'm', messages, channel: 5 }),
    })

    expect(answer.status).toBe(403)
    expect(received).toHaveLength(0)
  })
})

describe('the playground without a relay', () => {
  it('says that models cannot be reached', async () => {
    const test = await createTestApp({ RELAY_URL: 'http://127.0.0.1:9' })
    const root = await test.setUp()

    const answer = await root('POST', '/pg/chat/completions', { model: 'm', messages: [] })

    expect([answer.status, answer.body]).toMatchObject([503, { error: { message: '模型服务暂不可用，请稍后再试' } }])
    await test.stop()
  })
})
