import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ROOT_USER } from './support/api.ts'
import { misfits, shapeOf } from './support/shape.ts'
import { startStack, type Stack } from './support/stack.ts'
import {
  channelShape,
  logOtherShape,
  logShape,
  modelShape,
  pricingRowShape,
  siteStatusShape,
  tokenShape,
  userShape,
  ownShape,
} from './support/api-shapes.ts'

/**
 * Sends what consoles and scripts written for gateways of this family send (paths, spellings, whole-object bodies) through the one
 * origin and checks what they read.
 */
type Row = Readonly<Record<string, unknown>>
type Body = { readonly success?: boolean; readonly message?: string; readonly data?: unknown; readonly [more: string]: unknown }
type Reply = { readonly status: number; readonly body: Body; readonly headers: Headers }

describe('the console API as existing consoles speak it', () => {
  const vendor = new LLMock({ port: 0 })
  let stack: Stack
  let url: string
  let cookie = ''

  beforeAll(async () => {
    // Sent by a channel test, and by a client.
    vendor.onMessage('hi', { content: 'Hi.', usage: { prompt_tokens: 8, completion_tokens: 2 } })
    vendor.onMessage('hello', { content: 'Hello.', usage: { prompt_tokens: 11, completion_tokens: 5 } })
    await vendor.start()
    stack = await startStack()
    url = stack.relays[0]?.url ?? ''
    await send('POST', '/api/setup', setupBody)
    const { headers } = await send('POST', '/api/user/login?turnstile=', { username: ROOT_USER.username, password: ROOT_USER.password })
    cookie = (headers.getSetCookie()[0] ?? '').split(';')[0] ?? ''
  })
  afterAll(async () => {
    await stack.stop()
    await vendor.stop()
  })

  const setupBody = {
    username: ROOT_USER.username,
    password: ROOT_USER.password,
    confirmPassword: ROOT_USER.password,
    SelfUseModeEnabled: false,
    DemoSiteEnabled: false,
  }
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> => {
    const answer = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    // Every response under /api is the envelope or an OpenAI-format error.
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Body }
  }
  // The header's spelling is that of the existing console.
  const call = (method: string, path: string, body?: unknown): Promise<Reply> =>
    send(method, path, body, { cookie, 'New-API-User': '1', 'cache-control': 'no-store' })
  /** The data of a successful response; any other fails the test. */
  const data = async <T = Row>(method: string, path: string, body?: unknown): Promise<T> => {
    const reply = await call(method, path, body)
    expect(reply, `${method} ${path}`).toMatchObject({ status: 200, body: { success: true, message: '' } })
    // The caller asserts the shape.
    return reply.body.data as T
  }
  const refusal = async (method: string, path: string, body?: unknown): Promise<string | undefined> => {
    const reply = await call(method, path, body)
    expect(reply, `${method} ${path}`).toMatchObject({ status: 200, body: { success: false } })
    return reply.body.message
  }
  const newest = async (path: string): Promise<Row> => (await data<Row[]>('GET', path))[0] ?? {}

  describe('setup and status', () => {
    it('reports that the system is set up', async () => {
      const { body } = await send('GET', '/api/setup')

      expect(body.data).toMatchObject({ status: true, root_init: false, database_type: '' })
    })

    it('refuses a second setup with its own text', async () => {
      expect((await send('POST', '/api/setup', setupBody)).body).toEqual({ success: false, message: '系统已经初始化完成' })
    })

    it('has every field of the site status, with real booleans', async () => {
      const { body } = await send('GET', '/api/status')

      expect(misfits(body.data, siteStatusShape)).toEqual([])
      expect(body.data).not.toHaveProperty('chat_link')
    })

    it.each(['/api/notice', '/api/about', '/api/home_page_content'])('serves %s as a text', async (path) => {
      expect((await send('GET', path)).body).toEqual({ success: true, message: '', data: '' })
    })

    it('sends a request id of date, time and random digits, and no CORS headers', async () => {
      const { headers } = await send('GET', '/api/status')

      expect(headers.get('x-oneapi-request-id')).toMatch(/^\d{15,23}[0-9A-Za-z]{8}$/)
      expect(headers.get('access-control-allow-origin')).toBeNull()
    })
  })

  describe('sign-in', () => {
    it('returns the user with six fields and a strict cookie for thirty days', async () => {
      const { status, body, headers } = await send('POST', '/api/user/login?turnstile=', {
        username: ROOT_USER.username,
        password: ROOT_USER.password,
      })

      expect(status).toBe(200)
      expect(misfits(body.data, userShape)).toEqual([])
      expect(body.data).toMatchObject({ id: 1, username: 'root', display_name: 'Root User', role: 100, status: 1, group: 'default' })
      expect(body.data).toMatchObject({ quota: 0, aff_code: '', email: '' })
      const [name, ...attributes] = (headers.getSetCookie()[0] ?? '').split('; ')
      expect(name).toMatch(/^session=./)
      expect(attributes).toEqual(expect.arrayContaining(['Path=/', 'Max-Age=2592000', 'HttpOnly', 'SameSite=Strict']))
      cookie = name ?? ''
    })

    it.each([
      ['a blank field', { username: '', password: 'x' }, '无效的参数'],
      ['a name of blanks', { username: '  ', password: 'x' }, '用户名或密码为空'],
      ['a wrong password', { username: 'root', password: 'wrong-password' }, '用户名或密码错误，或用户已被封禁'],
      ['broken JSON', '{"username":', '无效的参数：JSON'],
    ])('refuses %s on status 200', async (_why, body, message) => {
      expect(await send('POST', '/api/user/login', body)).toMatchObject({ status: 200, body: { success: false, message } })
    })

    it('returns own data without secrets', async () => {
      const own = await data('GET', '/api/user/self')

      expect(misfits(own, ownShape)).toEqual([])
      expect(own).toMatchObject({ password: '', access_token: null, quota: 100_000_000, used_quota: 0 })
    })

    it('accepts the system access token with the id header', async () => {
      const accessToken = await data<string>('GET', '/api/user/token')

      for (const authorization of [accessToken, `Bearer ${accessToken}`])
        expect(await send('GET', '/api/user/self', undefined, { authorization, 'New-Api-User': '1' })).toMatchObject({
          body: { success: true, data: { id: 1 } },
        })
    })
  })

  describe('refusals of the guard', () => {
    it.each([
      ['no session', {}, 401, '无权进行此操作，未登录且未提供 access token'],
      ['no session and the id -1', { 'New-API-User': '-1' }, 401, '无权进行此操作，未登录且未提供 access token'],
      ['an unknown access token', { authorization: 'unknown', 'New-Api-User': '1' }, 200, '无权进行此操作，access token 无效'],
    ])('answers %s', async (_why, headers, status, message) => {
      expect(await send('GET', '/api/user/self', undefined, headers)).toMatchObject({ status, body: { success: false, message } })
    })

    it.each([
      ['no id', undefined, '无权进行此操作，未提供 New-Api-User'],
      ['an id that is no number', 'root', '无权进行此操作，New-Api-User 格式错误'],
      ['the id of another', '2', '无权进行此操作，New-Api-User 与登录用户不匹配'],
    ])('answers a session with %s', async (_why, id, message) => {
      const headers = { cookie, ...(id === undefined ? {} : { 'New-Api-User': id }) }

      expect(await send('GET', '/api/user/self', undefined, headers)).toMatchObject({ status: 401, body: { success: false, message } })
    })

    it('names an unknown path in an OpenAI-format error', async () => {
      expect(await call('GET', '/api/no-such-call')).toMatchObject({
        status: 404,
        body: { error: { message: 'Invalid URL (GET /api/no-such-call)', type: 'invalid_request_error', param: '', code: '' } },
      })
    })

    it('lists drawings and tasks for administrators and for their owners', async () => {
      for (const path of ['/api/mj/?p=0', '/api/mj/self/?p=0', '/api/task/?p=0', '/api/task/self?p=0'])
        expect(await call('GET', path)).toMatchObject({ status: 200, body: { success: true, message: '', data: [] } })
    })
  })

  describe('tokens', () => {
    const fields = {
      name: 'wire',
      remain_quota: 500_000,
      expired_time: -1,
      unlimited_quota: false,
      model_limits_enabled: false,
      model_limits: '',
      allow_ips: '',
      group: '',
    }

    it('creates a token without returning its key, and lists newest first with the whole key', async () => {
      const created = await call('POST', '/api/token/', fields)
      const row = await newest('/api/token/?p=0&size=10')

      expect(created.body).toEqual({ success: true, message: '' })
      expect(misfits(row, tokenShape)).toEqual([])
      expect(row).toMatchObject({ ...fields, user_id: 1, status: 1, used_quota: 0, key: expect.stringMatching(/^[0-9A-Za-z]{48}$/) })
    })

    it('searches by name and by key with its prefix, and returns one by id', async () => {
      const row = await newest('/api/token/?p=0&size=10')

      expect(await data('GET', `/api/token/search?keyword=wir&token=`)).toMatchObject([{ id: row['id'] }])
      expect(await data('GET', `/api/token/search?keyword=&token=sk-${String(row['key'])}`)).toMatchObject([{ id: row['id'] }])
      expect(await data('GET', `/api/token/${String(row['id'])}`)).toEqual(row)
    })

    it('accepts the whole row with a change and returns it', async () => {
      const row = await newest('/api/token/?p=0&size=10')
      const changed = await data('PUT', '/api/token/', { ...row, name: 'renamed', remain_quota: 600_000, allow_ips: '10.0.0.1\n10.0.0.2' })

      expect(misfits(changed, tokenShape)).toEqual([])
      expect(changed).toMatchObject({ id: row['id'], name: 'renamed', remain_quota: 600_000, allow_ips: '10.0.0.1\n10.0.0.2' })
    })

    it('changes only the status', async () => {
      const { id } = await newest('/api/token/?p=0&size=10')

      expect(await data('PUT', '/api/token/?status_only=true', { id, status: 2 })).toMatchObject({ id, status: 2, name: 'renamed' })
      expect(await data('PUT', '/api/token/?status_only=true', { id, status: 1 })).toMatchObject({ id, status: 1 })
    })

    it.each([
      ['a name over 30 characters', 'POST', '/api/token/', { ...fields, name: 'n'.repeat(31) }, '令牌名称过长'],
      ['an unknown token', 'GET', '/api/token/999', undefined, 'record not found'],
      ['no id', 'PUT', '/api/token/', { ...fields }, 'id 或 userId 为空！'],
    ])('refuses %s on status 200', async (_why, method, path, body, message) => {
      expect(await refusal(method, path, body)).toBe(message)
    })

    it('refuses to enable an expired token until its date is changed', async () => {
      await data('POST', '/api/token/', { ...fields, name: 'old' })
      const { id } = await newest('/api/token/?p=0&size=10')
      await stack.database.db.updateTable('tokens').set({ expired_time: 1_600_000_000 }).where('id', '=', Number(id)).execute()
      const row = await newest('/api/token/?p=0&size=10')

      expect(row['status']).toBe(3)
      expect(await refusal('PUT', '/api/token/?status_only=true', { id: row['id'], status: 1 })).toBe(
        '令牌已过期，无法启用，请先修改令牌过期时间，或者设置为永不过期',
      )
    })

    it.each([
      ['without', ''],
      ['with', '/'],
    ])('deletes %s a trailing slash, and lists by both spellings', async (_spelling, slash) => {
      await data('POST', '/api/token/', { ...fields, name: 'short-lived' })
      const { id } = await newest(`/api/token${slash}?p=0&size=1`)

      expect((await call('DELETE', `/api/token/${String(id)}${slash}`)).body).toEqual({ success: true, message: '' })
      expect(await refusal('GET', `/api/token/${String(id)}${slash}`)).toBe('record not found')
    })
  })

  describe('channels', () => {
    const fields = {
      type: 1,
      name: 'vendor',
      openai_organization: '',
      max_input_tokens: 0,
      other: '',
      models: 'gpt-4o,gpt-4o-mini',
      group: 'default',
      groups: ['default'],
      model_mapping: '',
      status_code_mapping: '',
      auto_ban: 1,
      test_model: '',
      priority: 0,
      weight: 0,
      tag: '',
      setting: '',
      param_override: '',
    }
    const list = (more = ''): Promise<Row[]> => data<Row[]>('GET', `/api/channel/?p=0&page_size=10&id_sort=true&tag_mode=false${more}`)

    it('creates one channel per line of the key and lists them without it', async () => {
      const created = await call('POST', '/api/channel/', { ...fields, key: 'sk-one\n\nsk-two\n', base_url: vendor.url })
      const rows = await list()

      expect(created.body).toEqual({ success: true, message: '' })
      expect(await data('GET', '/api/channel/?p=1&page_size=1&id_sort=true&tag_mode=false')).toMatchObject([{ id: 1 }])
      expect(rows.map((row) => misfits(row, channelShape))).toEqual([[], []])
      expect(rows).toMatchObject([
        { id: 2, name: 'vendor', key: '', status: 1, models: 'gpt-4o,gpt-4o-mini', group: 'default', other_info: '' },
        { id: 1, name: 'vendor', key: '', status: 1 },
      ])
    })

    it('accepts the whole row with a change and returns it without the key', async () => {
      const [row] = await list()
      const changed = await data('PUT', '/api/channel/', { ...row, groups: ['default', 'vip'], group: 'default,vip', tag: 'blue' })

      expect(misfits(changed, channelShape)).toEqual([])
      expect(changed).toMatchObject({ id: 2, key: '', group: 'default,vip', tag: 'blue', status: 1 })
    })

    it.each([
      ['priority', { priority: 5 }],
      ['weight', { weight: 7 }],
      ['status', { status: 2 }],
    ])('changes the %s in the row and answers the row', async (_what, change) => {
      expect(await data('PUT', '/api/channel/', { id: 2, ...change })).toMatchObject({ id: 2, name: 'vendor', ...change })
    })

    it('turns a tag on and off and shows a page of tags with their channels', async () => {
      expect((await call('POST', '/api/channel/tag/enabled', { tag: 'blue' })).body).toEqual({ success: true, message: '' })
      expect(await data('GET', '/api/channel/?p=0&page_size=10&id_sort=true&tag_mode=true')).toMatchObject([{ id: 2, status: 1, key: '' }])
      expect((await call('POST', '/api/channel/tag/disabled', { tag: 'blue' })).body).toEqual({ success: true, message: '' })
      const channel = await data('GET', '/api/channel/2')
      expect(misfits(channel, channelShape)).toEqual([])
      expect(channel).toMatchObject({ id: 2, name: 'vendor', status: 2, tag: 'blue', models: 'gpt-4o,gpt-4o-mini', key: '' })
      expect(await refusal('POST', '/api/channel/tag/enabled', { tag: '' })).toBe('参数错误')
      expect(await refusal('PUT', '/api/channel/tag', { tag: '' })).toBe('tag不能为空')
    })

    it.each([
      ['a part of the name', 'keyword=vend&group=&model=', [2, 1]],
      ['the address, any group', 'keyword=127.0.0.1&group=null&model=', [2, 1]],
      ['a group', 'keyword=&group=vip&model=', [2]],
      ['a model', 'keyword=&group=&model=mini', [2, 1]],
    ])('finds by %s', async (_what, query, ids) => {
      const found = await data<Row[]>('GET', `/api/channel/search?${query}&id_sort=true&tag_mode=false`)

      expect(found.map((row) => row['id'])).toEqual(ids)
      expect(found.map((row) => misfits(row, channelShape))).toEqual(ids.map(() => []))
    })

    it('lists known and enabled models', async () => {
      const known = await data<Row[]>('GET', '/api/channel/models')

      expect(misfits(known[0], modelShape)).toEqual([])
      expect(await data('GET', '/api/channel/models_enabled')).toEqual(['gpt-4o', 'gpt-4o-mini'])
      expect(await data('GET', '/api/models')).toMatchObject({ 1: expect.arrayContaining(['gpt-4o']) })
    })

    it('tags, repairs and deletes in batches and returns counts', async () => {
      expect(await data('POST', '/api/channel/batch/tag', { ids: [1, 2], tag: null })).toBe(2)
      expect(await data('POST', '/api/channel/fix')).toEqual(expect.any(Number))
      expect(await refusal('POST', '/api/channel/batch', { ids: [] })).toBe('参数错误')
      expect(await data('DELETE', '/api/channel/disabled')).toBe(1)
    })

    it('tests one and returns seconds at the top level', async () => {
      const { body } = await call('GET', '/api/channel/test/1?model=gpt-4o-mini')

      expect(body).toMatchObject({ success: true, message: '' })
      expect(typeof body['time']).toBe('number')
    })

    it('reaches no listener or store of the gateway through a channel, by worker or control plane', async () => {
      const own = ['DATABASE_URL', 'REDIS_URL', 'CONTROL_PLANE_INTERNAL_URL'].map((name) => new URL(stack.env[name] ?? '').port)
      for (const port of [...own, stack.env['CONTROL_PLANE_PORT'] ?? '']) {
        await data('POST', '/api/channel/', { ...fields, name: 'inward', key: 'sk-x', base_url: `http://localhost:${port}` })
        const [row] = await list()
        const id = String(row?.['id'])

        const tested = await refusal('GET', `/api/channel/test/${id}?model=gpt-4o-mini`)
        const fetched = await refusal('GET', `/api/channel/fetch_models/${id}`)
        await call('DELETE', `/api/channel/${id}`)

        expect([port, tested, fetched]).toEqual([
          port,
          expect.stringMatching(/不允许访问上游地址|address is not allowed/),
          expect.stringContaining('blocked'),
        ])
      }
    })

    it.each([
      ['without', ''],
      ['with', '/'],
    ])('deletes %s a trailing slash', async (_spelling, slash) => {
      await data('POST', '/api/channel/', { ...fields, name: 'short-lived', key: 'sk-x' })
      const [row] = await list()

      expect((await call('DELETE', `/api/channel/${String(row?.['id'])}${slash}`)).body).toEqual({ success: true, message: '' })
      expect(await refusal('GET', `/api/channel/${String(row?.['id'])}`)).toBe('record not found')
    })
  })

  describe('options, groups and prices', () => {
    it('lists options as texts without secrets and takes text values', async () => {
      const rows = await data<{ key: string; value: unknown }[]>('GET', '/api/option/')

      expect(rows.filter(({ value }) => typeof value !== 'string')).toEqual([])
      expect(rows.map(({ key }) => key).filter((key) => /(Token|Secret|_secret)$/.test(key))).toEqual([])
      expect((await call('PUT', '/api/option/', { key: 'RetryTimes', value: '1' })).body).toEqual({ success: true, message: '' })
      expect(await data('GET', '/api/option')).toEqual(expect.arrayContaining([{ key: 'RetryTimes', value: '1' }]))
    })

    it('names groups, usable groups and models', async () => {
      const usable = { default: { ratio: 1, desc: '默认分组' }, vip: { ratio: 1, desc: 'vip分组' } }

      expect(await data('GET', '/api/group/')).toEqual(['default', 'svip', 'vip'])
      expect(await data('GET', '/api/user/self/groups')).toEqual(usable)
      expect((await send('GET', '/api/user/groups')).body.data).toEqual(usable)
      expect(await data('GET', '/api/user/models')).toEqual(['gpt-4o', 'gpt-4o-mini'])
    })

    it('returns prices with their groups at the top level, also without a session', async () => {
      const { body } = await send('GET', '/api/pricing')
      const rows = body.data as Row[] // checked by misfits below

      expect(body).toMatchObject({ success: true, group_ratio: { default: 1 }, usable_group: { default: '默认分组' } })
      expect(rows.map((row) => misfits(row, pricingRowShape))).toEqual([[], []])
      expect(rows[0]).toMatchObject({
        model_name: 'gpt-4o',
        quota_type: 0,
        model_ratio: 1.25,
        completion_ratio: 4,
        owner_by: '',
        vendor: 'OpenAI',
      })
    })
  })

  describe('the usage log', () => {
    const page = async (path: string): Promise<{ items: Row[]; total: number; page: number; page_size: number }> => data('GET', path)
    const MINE = '/api/log/?p=1&page_size=10&type=2&token_name=renamed&username=root&model_name=gpt-4o%25&channel=1'

    beforeAll(async () => {
      const { key } = await newest('/api/token/search?keyword=renamed&token=')
      await data('PUT', '/api/token/', { id: (await newest('/api/token/search?keyword=renamed&token='))['id'], allow_ips: '' })
      const ask = (): Promise<Response> =>
        fetch(`${url}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer sk-${String(key)}`, 'content-type': 'application/json' },
          body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hello' }] }),
        })
      await vi.waitUntil(async () => (await ask()).status === 200, { timeout: 5000, interval: 100 })
      await vi.waitUntil(
        async () => {
          // Each request draws one of the channels created above.
          await (await ask()).arrayBuffer()
          return (await page(MINE)).total > 0
        },
        { timeout: 10_000, interval: 200 },
      )
    })

    it('pages from 1 and keeps every field, with other as JSON text', async () => {
      const { items, ...counts } = await page(MINE)
      const parts = JSON.parse(String(items[0]?.['other'])) as Row // asserted below

      // `total_is_capped` is an addition that existing clients ignore.
      expect(counts).toEqual({ total: items.length, total_is_capped: false, page: 1, page_size: 10 })
      expect(items.map((row) => misfits(row, logShape))).toEqual(items.map(() => []))
      expect(items[0]).toMatchObject({
        type: 2,
        username: 'root',
        token_name: 'renamed',
        model_name: 'gpt-4o-mini',
        channel: 1,
        channel_name: 'vendor',
        prompt_tokens: 11,
        completion_tokens: 5,
        is_stream: false,
        group: 'default',
        content: '模型倍率 0.075，补全倍率 4.00，分组倍率 1.00',
      })
      expect(misfits(parts, { ...logOtherShape, admin_info: 'object' })).toEqual([])
      expect(parts).toMatchObject({ model_price: -1, frt: -1000, admin_info: { use_channel: ['1'] } })
    })

    it.each(['/api/log/self?', '/api/log/self/?'])('returns own rows without channel names at %s', async (path) => {
      const { items } = await page(`${path}p=1&page_size=10&type=2&start_timestamp=0&end_timestamp=4000000000&group=default`)

      expect(misfits(items[0], logShape)).toEqual([])
      expect(items[0]).toMatchObject({ channel_name: '', username: 'root' })
      expect(String(items[0]?.['other'])).not.toContain('admin_info')
    })

    it.each(['/api/log/stat', '/api/log/self/stat'])('sums at %s', async (path) => {
      const stat = await data('GET', `${path}?type=0&start_timestamp=0&end_timestamp=4000000000&token_name=&model_name=&group=`)

      expect(misfits(stat, shapeOf({ int: 'quota rpm tpm' }))).toEqual([])
      expect(stat['quota']).toBeGreaterThan(0)
    })
  })

  it('finds the channels of a tag by one of them', async () => {
    const row = await data('GET', '/api/channel/1')
    await data('PUT', '/api/channel/', { ...row, tag: 'found' })

    expect(await data('GET', '/api/channel/search?keyword=vend&group=&model=&id_sort=true&tag_mode=true')).toMatchObject([
      { id: 1, tag: 'found' },
    ])
  })

  it('signs out', async () => {
    expect((await call('GET', '/api/user/logout')).body).toEqual({ success: true, message: '' })
    expect((await call('GET', '/api/user/self')).status).toBe(401)
  })
})
