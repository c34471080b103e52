import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Worker } from 'bullmq'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keyIdOf, sealedBy } from '@tollgate/config/sealing'
import type { ChannelKey } from '@tollgate/contracts/channels/channel-keys'
import type { AuditEntry } from '@tollgate/contracts/resources/audit'
import type { ChannelFile, ImportedChannel } from '@tollgate/contracts/resources/channel-files'
import type { Channel } from '@tollgate/contracts/resources/channels'
import { createUser } from '@tollgate/db/queries/users/users'
import { QUEUE_PREFIX, queueConnection } from '@tollgate/jobs/connection'
import { replaceKeyBalances } from '@tollgate/db/queries/channels/channel-balances'
import { keys } from '@tollgate/redis/keys'
import { finishChannelRun, readChannelRun } from '@tollgate/redis/stores/channel-run'
import { createTestApp, ROOT, type Caller, type TestApp } from '../../../test/test-app.ts'
import { createApp } from '../../app.ts'
import { hashPassword } from '../../authentication/passwords.ts'
import { openSetting } from './setting.ts'

describe('channels', () => {
  let test: TestApp
  let root: Caller
  let admin: Caller
  let vendor: Server
  let vendorUrl: string
  beforeAll(async () => {
    test = await createTestApp({ UPSTREAM_ALLOW_PRIVATE: '127.0.0.0/8' })
    root = await test.setUp()
    const password_hash = await hashPassword('admin-pass')
    const person = { username: 'admin', password_hash, display_name: '', role: 10, group: 'default', aff_code: 'adm', shards: 8, now: 1 }
    await test.deps.db.transaction().execute((tx) => createUser(tx, person))
    admin = await test.signIn('admin', 'admin-pass')
    vendor = createServer((incoming, outgoing) => {
      const isRight = incoming.headers.authorization === 'Bearer sk-right'
      outgoing.writeHead(isRight ? 200 : 401).end(isRight ? JSON.stringify({ data: [{ id: 'm1' }, { id: 'm2' }, { id: 'm1' }] }) : 'no')
    })
    await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve))
    vendorUrl = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    await new Promise((resolve) => vendor.close(resolve))
    await test.stop()
  })

  const list = async (query = '?page_size=1000&id_sort=true'): Promise<Channel[]> =>
    (await root('GET', `/api/channel/${query}`)).body.data as Channel[] // shape: the contract's
  const make = async (fields: object, count = 1): Promise<Channel[]> => {
    const { body } = await root('POST', '/api/channel/', { type: 1, name: 'c', key: 'sk-k', models: 'gpt-4o', ...fields })
    expect(body).toEqual({ success: true, message: '' })
    return (await list()).slice(0, count)
  }
  const makeOne = async (fields: object): Promise<Channel> => {
    const [channel] = await make(fields)
    if (channel === undefined) throw new Error('the channel is not listed')
    return channel
  }
  const abilitiesOf = (id: number) =>
    test.deps.db
      .selectFrom('abilities')
      .select(['group', 'model', 'enabled'])
      .where('channel_id', '=', id)
      .orderBy('group')
      .orderBy('model')
      .execute()
  const keyOf = async (id: number): Promise<string> => {
    const { key_sealed } = await test.deps.db.selectFrom('channels').select('key_sealed').where('id', '=', id).executeTakeFirstOrThrow()
    return test.deps.sealers.channels.unseal(key_sealed, sealedBy.channelKey(id))
  }
  const openedSetting = async (id: number) => {
    const row = await test.deps.db
      .selectFrom('channels')
      .select(['id', 'setting', 'setting_sealed'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return openSetting(test.deps, row)
  }
  const published = async (id: number): Promise<unknown> => {
    const text = await test.deps.redis.hget(keys.snapshot('channels'), String(id))
    return text === null ? undefined : JSON.parse(text)
  }

  it('shows what a weight gives a channel beside those that it competes with', async () => {
    const made = { group: 'default,shares', models: 'shared-model,rare', priority: 7 }
    const [one] = await make({ ...made, name: 'one', weight: 1 })
    await make({ ...made, name: 'three', weight: 3, models: 'shared-model' })
    await make({ ...made, name: 'elsewhere', weight: 9, priority: 8 })
    const ask = async (over: object = {}) => {
      const asked = { id: 0, groups: ['shares'], models: ['rare', 'shared-model'], priority: 7, weight: 0, ...over }
      return (await admin('POST', '/api/channel/shares', asked)).body.data
    }

    expect(await ask()).toMatchObject({
      group: 'shares',
      model: 'shared-model',
      is_exact: false,
      rows: [
        { id: 0, weight: 0, share: 10 / 34 },
        { name: 'three', share: 13 / 34 },
        { name: 'one', share: 11 / 34 },
      ],
      left_out: 0,
    })
    expect(await ask({ id: one?.id })).toMatchObject({ rows: [{ id: one?.id, share: 10 / 23 }, { name: 'three' }] })
    expect(await ask({ models: ['unknown'] })).toMatchObject({ group: '', model: '', rows: [{ share: 1 }] })
    await root('PUT', '/api/option/', { key: 'ExactChannelWeights', value: 'true' })
    expect(await ask()).toMatchObject({ is_exact: true, rows: [{ share: 0 }, { share: 0.75 }, { share: 0.25 }] })
    await root('PUT', '/api/option/', { key: 'ExactChannelWeights', value: 'false' })
  })

  it('creates one channel per non-empty line of the key, with its abilities, and returns no key', async () => {
    const made = await make(
      { key: ' sk-a \n\nsk-b\r\n', models: ' gpt-4o, gpt-4o,o1 ,', group: 'default, vip,default', priority: 3, weight: 4 },
      2,
    )

    expect(made.map(({ key, models, group }) => ({ key, models, group }))).toEqual([
      { key: '', models: 'gpt-4o,o1', group: 'default,vip' },
      { key: '', models: 'gpt-4o,o1', group: 'default,vip' },
    ])
    expect(await Promise.all(made.map(({ id }) => keyOf(id)))).toEqual(['sk-b', 'sk-a'])
    expect(await abilitiesOf(made[0]?.id ?? 0)).toEqual(
      [
        ['default', 'gpt-4o'],
        ['default', 'o1'],
        ['vip', 'gpt-4o'],
        ['vip', 'o1'],
      ].map(([group, model]) => ({
        group,
        model,
        enabled: true,
      })),
    )
  })

  it('cuts what the gateway adds from the end of an address, and says so', async () => {
    const made = await root('POST', '/api/channel/', {
      type: 1,
      name: 'cut',
      key: 'sk-1',
      models: 'm',
      base_url: 'https://cut.example/v1/chat/completions/',
    })
    const channel = ((await root('GET', '/api/channel/search?keyword=cut')).body.data as Channel[]).find(({ name }) => name === 'cut')
    const changed = await root('PUT', '/api/channel/', { id: channel?.id, base_url: 'https://cut.example/v1' })

    expect(made.body).toMatchObject({ success: true, message: expect.stringContaining('/v1/chat/completions') })
    expect(channel?.base_url).toBe('https://cut.example')
    expect(changed.body).toMatchObject({ data: { base_url: 'https://cut.example' }, message: expect.stringContaining('/v1') })
    await root('DELETE', `/api/channel/${channel?.id}`)
  })

  it.each([
    ['blank key lines', { key: ' \n ' }, '渠道密钥不能为空'],
    ['an unknown type', { type: 29 }, '未知的渠道类型：29'],
    ['a retired type', { type: 11 }, '渠道类型 11（Google PaLM2）已停用，不能再用于新渠道'],
    ['a model name over 255 bytes', { models: `a,${'模'.repeat(86)}` }, `模型名称过长: ${'模'.repeat(86)}`],
    ['a mapping that is no JSON', { model_mapping: '{a}' }, 'model_mapping 必须是合法的 JSON 格式'],
    ['a mapping of something else than names', { model_mapping: '{"a":1}' }, 'model_mapping 必须是合法的 JSON 格式'],
    ['a setting that is nested too deep', { setting: `{"a":${'['.repeat(9000)}${']'.repeat(9000)}}` }, 'setting 必须是合法的 JSON 格式'],
    ['an override that is no object', { param_override: '[1]' }, 'param_override 必须是合法的 JSON 格式'],
    [
      'an operation that does not exist',
      { param_override: '{\n "operations": [\n  {"mode": "delete", "path": "a"},\n  {"mode": "jump"}\n ]\n}' },
      '参数覆盖第 4 行的操作无效（operations.1.mode：mode）',
    ],
    [
      'limits with a typing error',
      { setting: '{"limits":{"rmp":3}}' },
      '渠道限制无效：limits 只能包含 rpm、tpm、concurrency，且必须是正整数',
    ],
    [
      'a schedule in a time zone that does not exist',
      { setting: '{"schedule":{"hours":"09:00-18:00","time_zone":"Mars/Base"}}' },
      '服务时段无效：schedule 需要 hours（例如 09:00-18:00），可选 time_zone（例如 Asia/Shanghai）和 days（1 到 7）',
    ],
    ['an address that is none', { base_url: 'ftp://x' }, '无效的接口地址'],
    ['an address with a query', { base_url: 'https://a.example/?key=1' }, '接口地址不能含有 ? 或 #'],
    ['an address with a fragment', { base_url: 'https://a.example#v1' }, '接口地址不能含有 ? 或 #'],
    ['Vertex without a region', { type: 41, key: '{}' }, '部署地区不能为空'],
    ['Vertex regions without default', { type: 41, key: '{}', other: '{"gemini":"us"}' }, '部署地区必须包含default字段'],
    ['a Vertex region that would become another host', { type: 41, key: '{}', other: 'evil.example/#' }, '参数错误'],
  ])('refuses %s', async (_reason, fields, message) => {
    const { body } = await root('POST', '/api/channel/', { type: 1, name: 'c', key: 'sk-k', models: 'm', ...fields })
    expect(body).toMatchObject({ success: false, message })
  })

  it('keeps a Vertex credential as one key', async () => {
    const channel = await makeOne({ type: 41, key: '{\n "a": 1\n}', other: 'us-central1' })
    expect(await keyOf(channel.id)).toBe('{\n "a": 1\n}')
  })

  it('keeps several keys in one channel if its setting says so, and publishes disabled keys until a new key is set or the channel is enabled', async () => {
    const setting = '{"multi_key_mode":"random"}'
    const other_info = '{"keys":{"ab12cd34ef56":{"status_reason":"401","status_time":5}}}'
    const channel = await makeOne({ key: 'sk-a\nsk-b', setting })
    expect(await keyOf(channel.id)).toBe('sk-a\nsk-b')

    await test.deps.db.updateTable('channels').set({ other_info }).where('id', '=', channel.id).execute()
    await root('PUT', '/api/channel/', { id: channel.id, name: 'renamed' })
    expect(await published(channel.id)).toMatchObject({ keys_out: ['ab12cd34ef56'], setting: { multi_key_mode: 'random' } })

    await root('PUT', '/api/channel/', { id: channel.id, key: 'sk-c\nsk-d' })
    expect(await keyOf(channel.id)).toBe('sk-c\nsk-d')
    expect(await published(channel.id)).not.toHaveProperty('keys_out')

    await test.deps.db.updateTable('channels').set({ other_info, status: 3 }).where('id', '=', channel.id).execute()
    const { body } = await root('PUT', '/api/channel/', { id: channel.id, status: 1 })
    expect(body.data).toMatchObject({ status: 1, other_info: '' })
  })

  it('copies a channel whose id is sent as the key, as consoles do that know no key, to the same address only', async () => {
    const setting = '{"header_override":{"X-Gate":"gate-secret"}}'
    const channel = await makeOne({ name: 'original', key: 'sk-real', base_url: 'https://same.example', setting })
    const row = { ...channel, name: 'again', key: String(channel.id), base_url: 'https://same.example/' }

    const { body } = await admin('POST', '/api/channel/', row)

    const [copy] = await list()
    expect(body).toEqual({ success: true, message: '' })
    expect(copy).toMatchObject({ name: 'again', base_url: 'https://same.example', setting: channel.setting })
    expect(await keyOf(copy?.id ?? 0)).toBe('sk-real')
    expect((await openedSetting(copy?.id ?? 0))['header_override']).toEqual({ 'X-Gate': 'gate-secret' })
    for (const other of [{ base_url: 'https://other.example' }, { type: 8 }]) {
      expect((await root('POST', '/api/channel/', { ...row, ...other, setting: '' })).body.message).toBe(
        '渠道密钥不能是渠道 ID，请使用复制接口',
      )
    }
    expect((await admin('POST', '/api/channel/', { ...row, setting: '{"proxy":"http://evil.example:1"}' })).body.message).toBe(
      '修改渠道类型、接口地址或代理时必须重新填写密钥',
    )
  })

  it('creates channels from the form of newer consoles: one, one per key, or one with several keys', async () => {
    const channel = { type: 1, name: 'new form', models: 'm', key: 'sk-1\nsk-2' }
    const create = async (body: object) => (await root('POST', '/api/channel/', body)).body.message
    const newest = async (count: number) => (await list()).slice(0, count)

    expect(await create({ mode: 'batch', channel })).toBe('')
    const both = await newest(2)
    expect(both.map(({ name }) => name)).toEqual(['new form', 'new form'])
    expect(await Promise.all(both.map(({ id }) => keyOf(id)))).toEqual(['sk-2', 'sk-1'])

    expect(await create({ mode: 'multi_to_single', multi_key_mode: 'polling', channel: { ...channel, name: 'many' } })).toBe('')
    const [many] = await newest(1)
    expect(many).toMatchObject({ name: 'many', setting: '{"multi_key_mode":"polling"}' })
    expect(await keyOf(many?.id ?? 0)).toBe('sk-1\nsk-2')

    expect(await create({ mode: 'single', channel: { ...channel, key: 'sk-3' } })).toBe('')
    expect(await keyOf((await newest(1))[0]?.id ?? 0)).toBe('sk-3')
    expect(await create({ mode: 'single', channel })).toBe('单密钥模式只能填写一个密钥')
    expect(await create({ mode: 'twice', channel })).toBe('未知的添加模式：twice')
    expect(await create({ mode: 'batch', channel: { ...channel, type: 41, other: 'us', key: '[{"a":1},{"a":2}]' } })).toBe('')
    expect(await Promise.all((await newest(2)).map(({ id }) => keyOf(id)))).toEqual(['{"a":2}', '{"a":1}'])
  })

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])('saves a setting with the key %s, and audits it', async (name) => {
    const channel = await makeOne({ setting: '{}' })
    const setting = `{"${name}":"v"}`

    expect((await root('PUT', '/api/channel/', { id: channel.id, setting })).body).toMatchObject({ success: true })
    expect((await root('PUT', '/api/channel/', { id: channel.id, setting: '{}' })).body).toMatchObject({ success: true })
    const entries = await test.deps.db.selectFrom('audit_entries').select('changes').where('resource_id', '=', String(channel.id)).execute()
    const fields = entries
      .flatMap(({ changes }) => changes as readonly { field: string }[])
      .filter(({ field }) => field === `setting.${name}`)
    expect(fields).toEqual([
      { field: `setting.${name}`, after: 'v' },
      { field: `setting.${name}`, before: 'v' },
    ])
  })

  it.each([
    ['openai_organization', 'org\r\nX-Evil: 1'],
    ['openai_organization', 'org\u2028x'],
    ['key', 'sk-\u0001'],
    ['key', 'sk-钥匙'],
    ['setting', JSON.stringify({ header_override: { 'X-A': 'a\r\nb: c' } })],
    ['setting', JSON.stringify({ header_override: { 'X A': 'v' } })],
  ])('refuses a text that cannot be sent as a header: %s %j', async (field, text) => {
    const channel = await makeOne({})
    const created = await root('POST', '/api/channel/', { type: 1, name: 'c', key: 'sk-k', models: 'm', [field]: text })
    const changed = await root('PUT', '/api/channel/', { id: channel.id, [field]: text })

    for (const { body } of [created, changed]) expect(body).toEqual({ success: false, message: `${field} 含有不能作为请求头发送的字符` })
  })

  describe('that two administrators edit', () => {
    const put = async (body: object) => await root('PUT', '/api/channel/', body)
    const get = async (id: number) => (await root('GET', `/api/channel/${id}`)).body.data as Channel // the contract's

    it('keeps the other one’s fields, and refuses those that both changed, with what is there now', async () => {
      const seen = await makeOne({ name: 'first', models: 'a,b,c', priority: 1 })
      const was = { name: seen.name, models: seen.models, priority: seen.priority, group: seen.group }
      await put({ id: seen.id, name: 'by one', models: 'a,b,d' })

      expect((await put({ ...was, id: seen.id, priority: 5, was })).body.success).toBe(true)
      expect(await get(seen.id)).toMatchObject({ name: 'by one', models: 'a,b,d', priority: 5 })

      const refused = await root(
        'PUT',
        '/api/channel/',
        { ...was, id: seen.id, name: 'by two', models: 'b,c,e', was },
        { 'Accept-Language': 'en' },
      )
      expect([refused.status, refused.body]).toEqual([
        409,
        {
          success: false,
          message: 'Another administrator changed this meanwhile: name, models',
          field: 'was',
          data: {
            conflicts: [
              { field: 'name', was: 'first', now: 'by one', yours: 'by two' },
              { field: 'models', was: 'a,b,c', now: 'a,b,d', yours: 'b,c,e', merged: 'b,d,e' },
            ],
          },
        },
      ])
      expect(await get(seen.id)).toMatchObject({ name: 'by one', models: 'a,b,d' })
      expect((await put({ id: seen.id, models: 'b,d,e', was: { models: 'a,b,d' } })).body.success).toBe(true)
    })

    it('lets a console that does not say what it showed overwrite', async () => {
      const seen = await makeOne({ name: 'first' })
      await put({ id: seen.id, name: 'by one' })

      expect((await put({ id: seen.id, name: 'by two' })).body.success).toBe(true)
    })
  })

  it('seals the secrets of a setting, masks them in answers, and keeps those that a form sends back masked', async () => {
    const given = {
      proxy: 'http://me:proxy-pass@p.example:1',
      header_override: { 'X-Gate': 'gate-secret', 'X-Key': '{api_key}' },
      note: 'n',
    }
    const channel = await makeOne({ setting: JSON.stringify(given) })
    const shown = { proxy: 'http://me:******@p.example:1', header_override: { 'X-Gate': '******', 'X-Key': '{api_key}' }, note: 'n' }

    const everywhere = JSON.stringify([
      await test.deps.db.selectFrom('channels').selectAll().execute(),
      await test.deps.db.selectFrom('audit_entries').selectAll().execute(),
      await test.deps.redis.hgetall(keys.snapshot('channels')),
      await list(),
    ])
    expect(everywhere).not.toMatch(/proxy-pass|gate-secret/)
    expect(JSON.parse(channel.setting)).toEqual(shown)
    expect(await openedSetting(channel.id)).toEqual(given)

    const { body } = await admin('PUT', '/api/channel/', { ...channel, setting: JSON.stringify({ ...shown, note: 'changed' }) })
    expect(body).toMatchObject({ success: true, data: { id: channel.id } })
    expect(await openedSetting(channel.id)).toEqual({ ...given, note: 'changed' })
    const moved = { ...shown, proxy: 'http://me:******@evil.example:1' }
    expect((await root('PUT', '/api/channel/', { id: channel.id, setting: JSON.stringify(moved) })).body.message).toBe(
      '渠道设置 proxy 中的 ****** 没有对应的已保存密钥，请重新填写',
    )
    const copy = (await root('POST', `/api/channel/copy/${channel.id}`)).body.data as { id: number }
    expect(await openedSetting(copy.id)).toEqual({ ...given, note: 'changed' })
  })

  it('does not let an administrator send the secrets of a setting to another address with a key of their own', async () => {
    const setting = '{"header_override":{"X-Gate":"gate-secret"}}'
    const channel = await makeOne({ base_url: 'https://good.example', setting })
    const move = { id: channel.id, base_url: 'https://evil.example', key: 'sk-own' }

    expect((await admin('PUT', '/api/channel/', move)).body.message).toBe(
      '修改渠道类型、接口地址或代理时必须重新填写渠道设置中的密钥和请求头',
    )
    expect((await admin('PUT', '/api/channel/', { ...move, setting: channel.setting })).body.success).toBe(false)
    expect((await admin('PUT', '/api/channel/', { ...move, setting: '{}' })).body.success).toBe(true)
    expect(await openedSetting(channel.id)).toEqual({})
  })

  it('refuses overrides that copy credentials of clients, and lets only root set those that copy other headers', async () => {
    const copying = (header: string) => JSON.stringify({ header_override: { 'X-Copy': `{client_header:${header}}` } })
    const form = { type: 1, name: 'copying', key: 'sk-k', models: 'm' }

    for (const header of ['authorization', ' Cookie', 'x-api-key', 'X-Forwarded-For', 'x-acme-access-token']) {
      expect((await root('POST', '/api/channel/', { ...form, setting: copying(header) })).body.message, header).toBe(
        `不允许把客户端的 ${header.trim().toLowerCase()} 请求头转发给上游`,
      )
    }
    expect((await admin('POST', '/api/channel/', { ...form, setting: copying('x-trace') })).body.message).toBe(
      '只有超级管理员可以设置转发客户端请求头（x-trace）的覆盖规则',
    )
    const syncing = JSON.stringify({ operations: [{ mode: 'sync_fields', from: 'header:x-trace', to: 'body:user' }] })
    expect((await admin('POST', '/api/channel/', { ...form, param_override: syncing })).body.message).toBe(
      '只有超级管理员可以设置转发客户端请求头（x-trace）的覆盖规则',
    )
    const channel = await makeOne({ setting: copying('x-trace'), param_override: syncing })
    const edit = (fields: object) => admin('PUT', '/api/channel/', { id: channel.id, key: 'sk-new', ...fields })
    expect((await edit({ name: 'kept', setting: channel.setting })).body.success).toBe(true)
    expect((await edit({ setting: copying('x-other') })).body.success).toBe(false)
    expect((await edit({ setting: copying('authorization') })).body.success).toBe(false)
    expect((await edit({ setting: '{}' })).body.success).toBe(true)
  })

  it('answers that a saved channel is not published while Redis does not take it', async () => {
    const away = new Proxy(test.deps.redis, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        if (name === 'eval') return () => Promise.reject(new Error('READONLY'))
        return typeof member === 'function' ? (member.bind(target) as unknown) : member
      },
    })
    const app = createApp({ ...test.deps, redis: away }, { isDraining: false, findObstacle: async () => undefined })
    const session = await root('GET', '/api/user/token')
    const headers = { Authorization: `Bearer ${String(session.body.data)}`, 'New-Api-User': '1', 'content-type': 'application/json' }
    const body = JSON.stringify({ type: 1, name: 'unpublished', key: 'sk-k', models: 'm' })

    const answer = await app.request('/api/channel/', { method: 'POST', headers, body })

    expect(await answer.json()).toEqual({ success: true, message: '已保存，但暂时无法下发到网关，恢复后会自动生效' })
    expect((await list())[0]).toMatchObject({ name: 'unpublished' })
    await makeOne({ name: 'next' })
    expect(await published((await list())[1]?.id ?? 0)).toMatchObject({ name: 'unpublished' })
  })

  it('records who created, copied, changed, tagged and deleted a channel, with values but without secrets', async () => {
    const base_url = 'https://user:base-pass@a.example'
    const channel = await makeOne({ name: 'audited', key: 'sk-audited', base_url, param_override: '{"api_key":"in-body","n":1}' })
    const copy = (await admin('POST', `/api/channel/copy/${channel.id}`)).body.data as { id: number }
    await admin('PUT', '/api/channel/', { id: channel.id, name: 'renamed', key: 'sk-2', setting: '{"proxy":"http://a:pp@b:1","x":true}' })
    await admin('POST', '/api/channel/batch/tag', { ids: [channel.id], tag: 'audited' })
    await admin('PUT', '/api/channel/tag', { tag: 'audited', priority: 4, new_tag: '' })
    await root('PUT', '/api/channel/', { id: channel.id, base_url: 'https://other.example' })
    await admin('DELETE', `/api/channel/${channel.id}`)

    const page = (await admin('GET', `/api/audit/?resource=channel&resource_id=${channel.id}`)).body.data as {
      items: AuditEntry[]
      total: number
    }
    expect(JSON.stringify(page)).not.toMatch(/base-pass|in-body|sk-audited|sk-2|:pp@/)
    expect(page.total).toBe(6)
    expect(page.items.map(({ actor_name, action, changes }) => [actor_name, action, changes])).toEqual([
      ['admin', 'delete', [{ field: 'name', before: 'renamed' }]],
      ['root', 'update', [{ field: 'base_url', before: 'https://user:******@a.example', after: 'https://other.example' }]],
      [
        'admin',
        'update',
        [
          { field: 'tag', before: 'audited', after: '' },
          { field: 'priority', before: '0', after: '4' },
        ],
      ],
      ['admin', 'update', [{ field: 'tag', before: '', after: 'audited' }]],
      [
        'admin',
        'update',
        [
          { field: 'name', before: 'audited', after: 'renamed' },
          { field: 'setting.proxy', after: 'http://a:******@b:1' },
          { field: 'setting.x', after: 'true' },
          { field: 'key' },
        ],
      ],
      ['root', 'create', expect.arrayContaining([{ field: 'name', after: 'audited' }])],
    ])
    const copied = (await admin('GET', `/api/audit/?resource_id=${copy.id}`)).body.data as { items: AuditEntry[] }
    expect(copied.items[0]).toMatchObject({ action: 'copy', ip: '127.0.0.1', actor_role: 10 })
    expect(copied.items[0]?.changes).toContainEqual({ field: 'copied_from', after: String(channel.id) })
  })

  it('shows the audit log of options to root only, and to everyone their own entries', async () => {
    await root('PUT', '/api/option/', { key: 'Notice', value: 'audited' })
    await makeOne({ name: 'own entry' })
    const resources = async (call: Caller, path: string): Promise<Set<string>> =>
      new Set(((await call('GET', `${path}?page_size=100`)).body.data as { items: AuditEntry[] }).items.map(({ resource }) => resource))

    expect(await resources(admin, '/api/audit/')).toEqual(new Set(['channel']))
    expect(await resources(root, '/api/audit/')).toEqual(new Set(['channel', 'option', 'user']))
    const own = (await admin('GET', '/api/audit/self?p=1&page_size=2')).body.data as { items: AuditEntry[]; total: number }
    expect(own.items.map(({ actor_name }) => actor_name)).toEqual(['admin', 'admin'])
    expect(own.total).toBeGreaterThan(2)
  })

  it('copies a channel with its key', async () => {
    const channel = await makeOne({ name: 'original', key: 'sk-secret', tag: 't-copy', base_url: 'https://x.example/' })

    const { body } = await root('POST', `/api/channel/copy/${channel.id}`)

    const [copy] = await list()
    expect(body).toEqual({ success: true, message: '', data: { id: copy?.id } })
    expect(copy).toMatchObject({ name: 'original_复制', tag: 't-copy', base_url: 'https://x.example' })
    expect(await keyOf(copy?.id ?? 0)).toBe('sk-secret')
  })

  it('sets the fields that are present, also to empty values, and keeps a blank key and an outdated status', async () => {
    const channel = await makeOne({ name: 'before', key: 'sk-kept', tag: 't1', test_model: 'm' })
    await root('PUT', '/api/channel/', { id: channel.id, status: 2 })

    const { body } = await root('PUT', '/api/channel/', { ...channel, name: '', tag: '', key: '', used_quota: 99, response_time: 7 })

    expect(body.data).toMatchObject({ name: '', tag: '', status: 2, test_model: 'm', used_quota: 0, response_time: 0, key: '' })
    expect(await keyOf(channel.id)).toBe('sk-kept')
    expect(await abilitiesOf(channel.id)).toEqual([{ group: 'default', model: 'gpt-4o', enabled: false }])
  })

  it('updates priority and weight alone, down to zero', async () => {
    const channel = await makeOne({ priority: 5, weight: 5 })

    await root('PUT', '/api/channel/', { id: channel.id, priority: -3 })
    const { body } = await root('PUT', '/api/channel/', { id: channel.id, weight: -1 })

    expect(body.data).toMatchObject({ priority: -3, weight: 0, models: 'gpt-4o' })
    expect(await published(channel.id)).toMatchObject({ priority: -3, weight: 0, status: 1 })
  })

  it('accepts only the two statuses that an administrator can set', async () => {
    const channel = await makeOne({})
    expect((await root('PUT', '/api/channel/', { id: channel.id, status: 3 })).body).toEqual({ success: false, message: '无效的渠道状态' })
    expect((await root('PUT', '/api/channel/', { id: 999_999, status: 1 })).body).toEqual({ success: false, message: 'record not found' })
  })

  it.each([
    ['address', { base_url: 'https://evil.example' }],
    ['type', { type: 8 }],
    ['proxy', { setting: '{"proxy":"http://evil.example:1"}' }],
  ])('lets an administrator change the %s only together with the key', async (_field, change) => {
    const channel = await makeOne({ base_url: 'https://good.example', key: 'sk-hidden' })

    const refused = await admin('PUT', '/api/channel/', { id: channel.id, ...change })
    const taken = await admin('PUT', '/api/channel/', { id: channel.id, ...change, key: 'sk-own' })

    expect(refused).toMatchObject({ status: 200, body: { success: false, message: '修改渠道类型、接口地址或代理时必须重新填写密钥' } })
    expect(taken.body.success).toBe(true)
    expect(await keyOf(channel.id)).toBe('sk-own')
  })

  it('sums the used quota over shards', async () => {
    const channel = await makeOne({})
    const rows = [1, 2].map((shard) => ({ channel_id: channel.id, shard, used_quota: 3_000_000_000, requests: 1 }))
    await test.deps.db.insertInto('channel_usage').values(rows).execute()

    expect((await root('GET', `/api/channel/${channel.id}`)).body.data).toMatchObject({ used_quota: 6_000_000_000 })

    const most = [3, 4, 5].map((shard) => ({ channel_id: channel.id, shard, used_quota: 4e15, requests: 1 }))
    await test.deps.db.insertInto('channel_usage').values(most).execute()
    expect((await root('GET', `/api/channel/${channel.id}`)).body.data).toMatchObject({ used_quota: Number.MAX_SAFE_INTEGER })
    expect((await root('GET', '/api/channel/?page_size=1000')).status).toBe(200)
    await test.deps.db.deleteFrom('channel_usage').where('channel_id', '=', channel.id).execute()
  })

  it('sorts by priority or id, and searches by id, name, address, complete key, group and model', async () => {
    const low = await makeOne({
      name: '100%_found',
      key: 'sk-find-me',
      base_url: 'https://find.example',
      group: 'vip',
      models: 'find-model',
      priority: -50,
    })
    const high = await makeOne({ name: 'top', priority: 1000 })
    const found = async (query: string): Promise<number[]> =>
      ((await root('GET', `/api/channel/search?${query}`)).body.data as Channel[]).map(({ id }) => id)

    const byPriority = await list('?p=0&page_size=1000')
    expect(byPriority[0]?.id).toBe(high.id)
    expect(byPriority.at(-1)?.id).toBe(low.id)
    expect(await found(`keyword=${low.id}`)).toContain(low.id)
    for (const query of [
      'keyword=100%25_',
      'keyword=find.example',
      'keyword=sk-find-me',
      'model=find-mod',
      'keyword=&group=vip&model=find',
    ]) {
      expect(await found(query), query).toEqual([low.id])
    }
    expect(await found('keyword=sk-find')).toEqual([])
    expect(await found('keyword=top&group=null')).toEqual([high.id])
  })

  it('lists a page of tags with all their channels and updates them together', async () => {
    await make({ tag: 'alpha', key: 'sk-1\nsk-2', priority: 1 })
    await make({ tag: 'beta' })
    const tagged = async (page: number): Promise<string[]> => (await list(`?tag_mode=true&p=${page}&page_size=1`)).map(({ tag }) => tag)

    expect(await tagged(0)).toEqual(['alpha', 'alpha'])
    expect(await tagged(1)).toEqual(['beta'])
    expect((await root('POST', '/api/channel/tag/disabled', { tag: 'alpha' })).body.success).toBe(true)
    expect(
      (await root('PUT', '/api/channel/tag', { tag: 'alpha', new_tag: 'gamma', models: 'x,y', weight: 0, priority: 0, model_mapping: '' }))
        .body,
    ).toEqual({
      success: true,
      message: '',
    })
    const changed = (await list()).filter(({ tag }) => tag === 'gamma')
    expect(changed.map(({ models, status, priority }) => ({ models, status, priority }))).toEqual([
      { models: 'x,y', status: 2, priority: 0 },
      { models: 'x,y', status: 2, priority: 0 },
    ])
    expect(await abilitiesOf(changed[0]?.id ?? 0)).toMatchObject([
      { model: 'x', enabled: false },
      { model: 'y', enabled: false },
    ])
    expect(await published(changed[0]?.id ?? 0)).toMatchObject({ tag: 'gamma', models: ['x', 'y'], status: 2 })
  })

  it('sets mapping, groups, models, priority and weight of all channels of a tag', async () => {
    await make({ tag: 'delta', key: 'sk-1\nsk-2', group: 'default', priority: 1, weight: 1 })
    const change = { model_mapping: '{"a":"b"}', groups: 'svip,vip', models: 'a', priority: 3, weight: 4 }

    expect((await root('PUT', '/api/channel/tag', { tag: 'delta', new_tag: 'epsilon', ...change })).body.success).toBe(true)

    const changed = (await list()).filter(({ tag }) => tag === 'epsilon')
    const { groups: group, ...fields } = change
    expect(changed).toMatchObject([
      { ...fields, group },
      { ...fields, group },
    ])
    expect((await list()).filter(({ tag }) => tag === 'delta')).toEqual([])
  })

  it('refuses an edit of a tag that another one made meanwhile, and offers the lists together', async () => {
    await make({ tag: 'seen', key: 'sk-1\nsk-2', models: 'a,b', priority: 1 })
    const was = { models: 'a,b', priority: 1 }
    const [first] = (await list()).filter(({ tag }) => tag === 'seen')
    await root('PUT', '/api/channel/tag', { tag: 'seen', models: 'a,b,c' })
    const put = (body: object) => root('PUT', '/api/channel/tag', { tag: 'seen', was, ...body })

    expect((await put({ priority: 2 })).body.success).toBe(true)
    const lists = await put({ models: 'b,d' })
    expect([lists.status, lists.body.data]).toEqual([
      409,
      { conflicts: [{ field: 'models', was: 'a,b', now: 'a,b,c', yours: 'b,d', merged: 'b,c,d' }] },
    ])
    // Its channels differ by now.
    await root('PUT', '/api/channel/', { id: first?.id, priority: 7 })
    expect((await put({ priority: 5 })).body.data).toEqual({ conflicts: [{ field: 'priority', was: 1, now: null, yours: 5 }] })
    expect((await list()).filter(({ tag }) => tag === 'seen').map(({ priority }) => priority)).toEqual([7, 2])
  })

  it('removes a tag without changing untagged channels', async () => {
    const plain = await makeOne({ models: 'plain' })
    const tagged = await makeOne({ models: 'old', tag: 'solve' })

    await root('PUT', '/api/channel/tag', { tag: 'solve', new_tag: '', models: 'new' })

    expect(await abilitiesOf(plain.id)).toMatchObject([{ model: 'plain' }])
    expect(await abilitiesOf(tagged.id)).toMatchObject([{ model: 'new' }])
  })

  it('refuses a blank tag and an empty selection', async () => {
    expect((await root('PUT', '/api/channel/tag', { tag: ' ' })).body.message).toBe('tag不能为空')
    expect((await root('POST', '/api/channel/tag/enabled', {})).body.message).toBe('参数错误')
    expect((await root('POST', '/api/channel/batch', { ids: [] })).body.message).toBe('参数错误')
    expect((await root('POST', '/api/channel/batch/tag', { tag: 'x' })).body.message).toBe('参数错误')
  })

  it('tags and untags a selection', async () => {
    const channel = await makeOne({})

    expect((await root('POST', '/api/channel/batch/tag', { ids: [channel.id], tag: 'set' })).body.data).toBe(1)
    expect(await published(channel.id)).toMatchObject({ tag: 'set' })
    await root('POST', '/api/channel/batch/tag', { ids: [channel.id], tag: null })
    expect(await published(channel.id)).toMatchObject({ tag: '' })
  })

  it('deletes one, a selection, and all disabled channels with their abilities and snapshot entries', async () => {
    const [first, second] = await make({ key: 'sk-1\nsk-2', tag: 'doomed' }, 2)
    const off = await makeOne({})
    await root('PUT', '/api/channel/', { id: off.id, status: 2 })

    expect((await root('DELETE', `/api/channel/${first?.id}/`)).body.success).toBe(true)
    expect((await root('DELETE', `/api/channel/${first?.id}/`)).body.success).toBe(true)
    expect((await root('POST', '/api/channel/batch', { ids: [second?.id] })).body.data).toBe(1)
    const disabled = (await list()).filter(({ status }) => status !== 1).length
    expect((await root('DELETE', '/api/channel/disabled')).body.data).toBe(disabled)

    for (const id of [first?.id, second?.id, off.id]) {
      expect(await abilitiesOf(id ?? 0)).toEqual([])
      expect(await published(id ?? 0)).toBeUndefined()
    }
  })

  it('repairs wrong abilities', async () => {
    const channel = await makeOne({ models: 'right' })
    await test.deps.db.updateTable('abilities').set({ model: 'wrong', enabled: false }).where('channel_id', '=', channel.id).execute()

    const { body } = await root('POST', '/api/channel/fix')

    expect(body.data).toBe((await list()).length)
    expect(await abilitiesOf(channel.id)).toMatchObject([{ model: 'right', enabled: true }])
  })

  it('lists the models of a vendor for saved and unsaved channels, and reports what went wrong', async () => {
    const saved = await makeOne({ base_url: vendorUrl, key: 'sk-right' })
    const wrong = await makeOne({ base_url: vendorUrl, key: 'sk-wrong' })
    const ask = (fields: object) =>
      root('POST', '/api/channel/fetch_models', { base_url: vendorUrl, type: 1, key: 'sk-right\nsk-other', ...fields })

    expect((await root('GET', `/api/channel/fetch_models/${saved.id}`)).body.data).toEqual(['m1', 'm2'])
    expect((await root('GET', `/api/channel/fetch_models/${wrong.id}`)).body).toEqual({ success: false, message: 'status code: 401' })
    expect((await ask({})).body.data).toEqual(['m1', 'm2'])
    expect(await ask({ key: 'sk-wrong' })).toMatchObject({ status: 500, body: { message: 'Failed to fetch models' } })
    expect(await ask({ type: 9999 })).toMatchObject({ status: 400, body: { message: 'Invalid request' } })
    expect((await ask({ base_url: 'http://169.254.169.254' })).status).toBe(500)
  })

  it('lists preset and enabled models once each', async () => {
    await make({ models: 'only-here' })
    const presets = (await root('GET', '/api/channel/models')).body.data as { id: string; object: string }[]
    const enabled = (await root('GET', '/api/channel/models_enabled')).body.data as string[]

    expect(new Set(presets.map(({ id }) => id)).size).toBe(presets.length)
    expect(presets[0]).toMatchObject({ object: 'model', created: 1_626_777_600, parent: null })
    expect(enabled).toContain('only-here')
    expect(enabled).toEqual([...new Set(enabled)].toSorted())
  })

  describe('a file of channels', () => {
    const prove = () => root('POST', '/api/user/self/proof', { password: ROOT.password })
    const read = (file: unknown, more: object = {}) => root('POST', '/api/channel/import', { file: JSON.stringify(file), ...more })

    it('has no keys, or has them sealed, and creates the same channels elsewhere', async () => {
      const setting = '{"multi_key_mode":"polling","proxy":"http://user:secret@proxy:1080"}'
      const made = await makeOne({
        name: 'moved',
        key: 'sk-file-1\nsk-file-2',
        models: 'm1,m2',
        group: 'vip',
        priority: 7,
        tag: 't',
        setting,
      })
      await root('PUT', '/api/channel/', { id: made.id, status: 2 })
      const keysOf = async (id: number) =>
        ((await root('GET', `/api/channel/${id}/keys`)).body.data as { key_id: string; state: string }[]).map(({ key_id, state }) => ({
          key_id,
          state,
        }))
      const [first, second] = await keysOf(made.id)
      await root('PUT', `/api/channel/${made.id}/keys`, { key_ids: [first?.key_id], action: 'disable', reason: 'leaked' })
      const refused = { keys: { [second?.key_id ?? '']: { status_reason: 'refused', status_time: 5 } } }
      await test.database.db
        .updateTable('channels')
        .set({ other_info: JSON.stringify(refused) })
        .where('id', '=', made.id)
        .execute()
      const plain = (await root('POST', '/api/channel/export', { ids: [made.id] })).body.data as ChannelFile
      const passphrase = 'a long passphrase'
      for (const name of await test.deps.redis.keys('sess:*')) await test.deps.redis.hset(name, 'proved_at', '1')
      expect((await root('POST', '/api/channel/export/sealed', { ids: [made.id], passphrase })).body).toMatchObject({
        success: false,
        field: 'proof',
      })
      await prove()
      const sealed = (await root('POST', '/api/channel/export/sealed', { ids: [made.id], passphrase })).body.data as ChannelFile

      expect(plain.channels).toMatchObject([{ name: 'moved', models: 'm1,m2', priority: 7, status: 2 }])
      expect(JSON.stringify([plain, sealed])).not.toMatch(/sk-file|secret@/)
      expect((await read(sealed, { passphrase })).body.data).toEqual([{ name: 'moved', result: 'known', message: '' }])
      await root('DELETE', `/api/channel/${made.id}`)
      expect((await read(plain, { is_preview: true })).body.data).toMatchObject([{ result: 'refused' }])
      expect((await read(sealed, { passphrase: 'another passphrase' })).body.success).toBe(false)
      expect((await read(sealed, { passphrase, is_preview: true })).body.data).toEqual([{ name: 'moved', result: 'new', message: '' }])
      expect((await list())[0]?.name).not.toBe('moved')

      await read(sealed, { passphrase })

      const [back] = await list()
      expect(back).toMatchObject({ name: 'moved', models: 'm1,m2', group: 'vip', priority: 7, tag: 't', status: 2 })
      expect(await keyOf(back?.id ?? 0)).toBe('sk-file-1\nsk-file-2')
      expect((await keysOf(back?.id ?? 0)).map(({ state }) => state)).toEqual(['disabled', 'disabled'])
      expect(await openedSetting(back?.id ?? 0)).toEqual({ multi_key_mode: 'polling', proxy: 'http://user:secret@proxy:1080' })
      expect(await abilitiesOf(back?.id ?? 0)).toMatchObject([{ model: 'm1', enabled: false }, { model: 'm2' }])
    })

    it('that was written by hand can have keys, and its mistakes are named', async () => {
      const file = (channels: object[]) => ({ format: 'tollgate-channels', version: 1, exported_at: 0, channels })

      const { body } = await read(
        file([
          { name: 'typed', type: 1, models: 'm', key: 'sk-typed' },
          { name: 'typed', type: 1, models: 'm', key: 'sk-again' },
          { name: 'keyless', type: 1, models: 'm' },
        ]),
      )

      expect((body.data as ImportedChannel[]).map(({ result, message }) => [result, message])).toEqual([
        ['new', ''],
        ['known', ''],
        ['refused', '渠道密钥不能为空'],
      ])
      expect((await read(file([{ name: 'x' }]))).body.message).toBe('不是渠道文件，或内容有误：channels.0.type')
    })
  })

  describe('a batch edit', () => {
    const edit = (caller: Caller, way: 'preview' | 'edit', body: object) => caller('POST', `/api/channel/batch/${way}`, body)

    it('shows every change without making it, and then changes only what was named', async () => {
      const one = await makeOne({ name: 'one', models: 'a,b', priority: 1, weight: 3 })
      const two = await makeOne({ name: 'two', models: 'b,c', priority: 5, tag: 'old' })
      const ids = [one.id, two.id]
      const change = {
        models: { action: 'add', names: ['c', 'd'] },
        groups: { action: 'replace', names: ['vip'] },
        priority: 5,
        tag: 'new',
        proxy: 'http://user:secret@proxy:1080',
      }

      const { body } = await edit(root, 'preview', { ids, change })

      expect(body.data).toEqual([
        {
          id: one.id,
          name: 'one',
          changes: [
            { field: 'models', before: 'a,b', after: 'a,b,c,d' },
            { field: 'group', before: 'default', after: 'vip' },
            { field: 'priority', before: '1', after: '5' },
            { field: 'tag', before: '', after: 'new' },
            { field: 'setting.proxy', after: 'http://user:******@proxy:1080' },
          ],
          version: expect.any(String),
        },
        expect.objectContaining({ id: two.id }),
      ])
      expect((await list())[0]).toMatchObject({ models: 'b,c', tag: 'old' })

      expect((await edit(root, 'edit', { ids, change })).body.data).toBe(2)
      expect((await list()).slice(0, 2)).toMatchObject([
        { id: two.id, models: 'b,c,d', group: 'vip', priority: 5, tag: 'new' },
        { id: one.id, models: 'a,b,c,d', group: 'vip', priority: 5, weight: 3 },
      ])
      expect(await openedSetting(one.id)).toEqual({ proxy: 'http://user:secret@proxy:1080' })
      expect((await abilitiesOf(two.id)).map(({ group, model }) => [group, model])).toEqual([
        ['vip', 'b'],
        ['vip', 'c'],
        ['vip', 'd'],
      ])
      expect(await published(one.id)).toMatchObject({ models: ['a', 'b', 'c', 'd'], priority: 5 })
      expect((await edit(root, 'edit', { ids, change })).body.data).toBe(0)
    })

    it('enables and disables: enabling removes the evidence of an automatic disable', async () => {
      const one = await makeOne({ name: 'one' })
      const two = await makeOne({ name: 'two' })
      const evidence = { status: 3, other_info: '{"status_reason":"401"}' }
      await test.deps.db.updateTable('channels').set(evidence).where('id', '=', one.id).execute()

      const { body } = await edit(admin, 'preview', { ids: [one.id, two.id], change: { status: 1 } })

      const changes = [
        { field: 'status', before: '3', after: '1' },
        { field: 'other_info', before: evidence.other_info, after: '' },
      ]
      expect(body.data).toEqual([{ id: one.id, name: 'one', changes, version: expect.any(String) }])
      expect((await edit(admin, 'edit', { ids: [one.id, two.id], change: { status: 1 } })).body.data).toBe(1)
      expect((await list())[1]).toMatchObject({ id: one.id, status: 1, other_info: '' })
      expect(await published(one.id)).toMatchObject({ status: 1 })
      expect((await edit(admin, 'edit', { ids: [one.id, two.id], change: { status: 2 } })).body.data).toBe(2)
      expect((await list()).slice(0, 2)).toMatchObject([{ status: 2 }, { status: 2 }])
      expect((await edit(admin, 'edit', { ids: [one.id], change: { status: 3 } })).body.success).toBe(false)
    })

    it('is refused when it would change something else than its preview showed', async () => {
      const one = await makeOne({ name: 'one', priority: 1 })
      const two = await makeOne({ name: 'two', priority: 9 })
      const call = { ids: [one.id, two.id], change: { priority: 9 } }
      const versions = async () => {
        const { body } = await edit(root, 'preview', call)
        return Object.fromEntries((body.data as { id: number; version: string }[]).map(({ id, version }) => [id, version]))
      }
      const seen = await versions()
      await root('PUT', '/api/channel/', { id: one.id, priority: 2 })

      const refused = await edit(root, 'edit', { ...call, seen })
      expect([refused.status, refused.body]).toMatchObject([409, { field: 'was', message: '以下内容已被其他管理员修改：one' }])
      expect((await list())[1]).toMatchObject({ id: one.id, priority: 2 })
      // A channel that the preview did not list, since it was like that already.
      await root('PUT', '/api/channel/', { id: two.id, priority: 3 })
      const more = await edit(root, 'edit', { ...call, seen: { ...(await versions()), [two.id]: undefined } })
      expect(more.body.message).toBe('以下内容已被其他管理员修改：two')

      expect((await edit(root, 'edit', { ...call, seen: await versions() })).body.data).toBe(2)
    })

    it('is refused as a whole when an administrator may not make a part of it, or it says nothing', async () => {
      const one = await makeOne({ models: 'a' })

      const refused = await edit(admin, 'edit', { ids: [one.id], change: { priority: 9, proxy: 'http://other:1080' } })

      expect(refused.body.message).toBe('修改渠道类型、接口地址或代理时必须重新填写密钥')
      expect((await list())[0]?.priority).toBe(0)
      expect((await edit(root, 'edit', { ids: [one.id], change: {} })).body.message).toBe('参数错误')
      expect((await edit(root, 'edit', { ids: [], change: { priority: 1 } })).body.message).toBe('参数错误')
    })
  })

  it('maps a model that ends to its successor in every channel that has it and does not map it', async () => {
    const [plain, mapping, other] = [
      await makeOne({ name: 'plain', models: 'ending-1,kept' }),
      await makeOne({ name: 'mapping', models: 'ending-1', model_mapping: '{"ending-1":"mine","x":"y"}' }),
      await makeOne({ name: 'other', models: 'kept' }),
    ]
    const mappingOf = async ({ id }: { readonly id: number }): Promise<string> => {
      const row = await test.database.db.selectFrom('channels').select('model_mapping').where('id', '=', id).executeTakeFirstOrThrow()
      return row.model_mapping ?? ''
    }

    expect((await root('POST', '/api/channel/batch/map', { from: 'ending-1', to: 'next-1' })).body.data).toBe(1)

    expect(JSON.parse(await mappingOf(plain))).toEqual({ 'ending-1': 'next-1' })
    expect(JSON.parse(await mappingOf(mapping))).toEqual({ 'ending-1': 'mine', x: 'y' })
    expect(await mappingOf(other)).not.toContain('next-1')
    expect((await root('POST', '/api/channel/batch/map', { from: 'ending-1', to: 'next-1' })).body.data).toBe(0)
  })

  it('takes over the models that vendors list, each channel its own, with the lists before and after in the audit log', async () => {
    const one = await makeOne({ name: 'one', models: 'a,b' })
    const two = await makeOne({ name: 'two', models: 'b' })
    const changes = [
      { id: one.id, add: ['c', 'a'], remove: ['b'] },
      { id: two.id, remove: ['absent'] },
    ]

    expect((await root('POST', '/api/channel/models', { changes })).body.data).toBe(1)

    expect((await list()).slice(0, 2).map(({ models }) => models)).toEqual(['b', 'a,c'])
    expect(await published(one.id)).toMatchObject({ models: ['a', 'c'] })
    const audit = (await root('GET', `/api/audit/?resource=channel&resource_id=${one.id}`)).body.data as { items: AuditEntry[] }
    expect(audit.items[0]).toMatchObject({ action: 'update', changes: [{ field: 'models', before: 'a,b', after: 'a,c' }] })
  })

  describe('the keys of a channel', () => {
    const first = 'sk-first-0123456789AAAA'
    const second = 'sk-second-0123456789BBBB'
    const third = 'sk-third-0123456789CCCC'
    const keysOf = async (id: number) => (await root('GET', `/api/channel/${id}/keys`)).body.data as ChannelKey[]
    const change = async (id: number, body: object) => (await root('PUT', `/api/channel/${id}/keys`, body)).body
    const done = { success: true, message: '' }
    const withTwo = async () => {
      const channel = await makeOne({ key: `${first}\n${second}`, setting: '{"multi_key_mode":"polling"}' })
      const [one, two] = await keysOf(channel.id)
      return { id: channel.id, one: one?.key_id ?? '', two: two?.key_id ?? '' }
    }

    it('are added in bulk without duplicates, and found by their last four characters', async () => {
      const { id } = await makeOne({ key: first })
      const expires_at = Math.floor(Date.now() / 1000) + 3600

      const { body } = await root('POST', `/api/channel/${id}/keys`, { keys: `${first}\n ${second}\n${third}`, expires_at })

      expect(body.data).toEqual({ added: 2, known: 1 })
      expect((await keysOf(id)).map(({ tail, state, expires_at: at }) => [tail, state, at])).toEqual([
        ['AAAA', 'enabled', 0],
        ['BBBB', 'enabled', expires_at],
        ['CCCC', 'enabled', expires_at],
      ])
      expect(JSON.parse((await list())[0]?.setting ?? '')).toEqual({ multi_key_mode: 'random' })
      expect(await published(id)).toMatchObject({ setting: { multi_key_mode: 'random' }, key_expiry: { [keyIdOf(third)]: expires_at } })
      const found = (await root('GET', '/api/channel/search?keyword=CCCC')).body.data as Channel[]
      expect(found.map((channel) => [channel.id, channel.key_expires_at])).toEqual([[id, expires_at]])
      expect(JSON.stringify(await keysOf(id))).not.toContain('0123456789')
    })

    it('are disabled by hand with a reason, which reaches the relays', async () => {
      const { id, one } = await withTwo()

      expect(await change(id, { key_ids: [one], action: 'disable', reason: 'leaked' })).toEqual(done)

      expect((await keysOf(id))[0]).toMatchObject({ state: 'disabled', reason: 'leaked', time: expect.any(Number) as number })
      expect(await published(id)).toMatchObject({ keys_out: [one] })
      const trail = (await root('GET', '/api/audit/?resource=channel')).body.data as { items: AuditEntry[] }
      expect(trail.items[0]?.changes).toEqual([{ field: 'keys', after: 'disable AAAA' }])
      await change(id, { key_ids: [one], action: 'enable' })
      expect(await published(id)).not.toHaveProperty('keys_out')
    })

    it('show the last read of their balances, or why it failed', async () => {
      const { id, one, two } = await withTwo()
      const rows = [
        { key_id: one, at: 5, balance: 2.5, detail: '' },
        { key_id: two, at: 5, balance: null, detail: 'status code: 401' },
        { key_id: 'deleted', at: 5, balance: 9, detail: '' },
      ]
      await test.deps.db.transaction().execute((tx) => replaceKeyBalances(tx, id, rows))

      expect((await keysOf(id)).map(({ balance }) => balance)).toEqual([
        { amount: 2.5, at: 5, detail: '' },
        { amount: null, at: 5, detail: 'status code: 401' },
      ])
    })

    it('show the vendor’s refusal, and enabling the last one brings the channel back', async () => {
      const { id, one, two } = await withTwo()
      const refusal = { status_reason: '401: invalid', status_time: 1_700_000_000, status: 401 }
      const other_info = JSON.stringify({ ...refusal, keys: { [one]: refusal, [two]: refusal } })
      await test.deps.db.updateTable('channels').set({ status: 3, other_info }).where('id', '=', id).execute()
      expect((await keysOf(id))[1]).toMatchObject({ state: 'auto-disabled', reason: '401: invalid', status: 401, time: 1_700_000_000 })

      await change(id, { key_ids: [two], action: 'enable' })

      const channel = (await root('GET', `/api/channel/${id}`)).body.data as Channel
      expect(channel.status).toBe(1)
      expect(JSON.parse(channel.other_info)).toEqual({ keys: { [one]: refusal } })
      expect(await abilitiesOf(id)).toMatchObject([{ enabled: true }])
    })

    it('are replaced with an overlap, after which the old one is out', async () => {
      const { id, one } = await withTwo()

      expect((await root('POST', `/api/channel/${id}/keys/rotate`, { key_id: one, key: third, overlap_hours: 24 })).body).toEqual(done)

      expect((await keysOf(id)).map(({ tail, state, replaced_by }) => [tail, state, replaced_by])).toEqual([
        ['CCCC', 'enabled', ''],
        ['AAAA', 'draining', 'CCCC'],
        ['BBBB', 'enabled', ''],
      ])
      const again = await root('POST', `/api/channel/${id}/keys/rotate`, { key_id: one, key: third, overlap_hours: 0 })
      expect(again.body.message).toBe('渠道已有这个密钥')
      await change(id, { key_ids: [one], action: 'expire', expires_at: 1_700_000_000 })
      expect((await keysOf(id))[1]?.state).toBe('expired')
      await change(id, { key_ids: [one], action: 'delete' })
      expect(await keyOf(id)).toBe(`${third}\n${second}`)
      expect(await published(id)).not.toHaveProperty('key_expiry')
    })

    it('keep at least one, and are never those of another channel', async () => {
      const { id, one, two } = await withTwo()

      expect((await change(id, { key_ids: [one, two], action: 'delete' })).message).toBe('渠道至少要有一个密钥；要停用它，请禁用渠道')
      expect((await change(id, { key_ids: ['ffffffffffff'], action: 'disable' })).message).toBe('渠道没有这个密钥，可能已被删除')
      expect((await change(id, { key_ids: [], action: 'disable' })).message).toBe('参数错误')
      expect((await root('PUT', '/api/channel/', { id, setting: '{}' })).body.message).toContain('不能改为单密钥')
      expect(await keyOf(id)).toBe(`${first}\n${second}`)
    })

    it('keep their states when the form replaces the text, and in a copy', async () => {
      const { id, one } = await withTwo()
      await change(id, { key_ids: [one], action: 'expire', expires_at: 4_000_000_000 })

      await root('PUT', '/api/channel/', { id, key: `${first}\n${third}` })
      const { body } = await root('POST', `/api/channel/copy/${id}`)

      const copy = (body.data as { id: number }).id
      expect((await keysOf(copy)).map(({ tail, expires_at }) => [tail, expires_at])).toEqual([
        ['AAAA', 4_000_000_000],
        ['CCCC', 0],
      ])
    })
  })

  it('waits for the worker to test a channel and returns the time in seconds', async () => {
    const channel = await makeOne({})
    const asked: unknown[] = []
    const worker = new Worker(
      'probe',
      async (job) => {
        asked.push(job.data)
        return { ok: asked.length === 1, status: 200, time_ms: 1234, message: asked.length === 1 ? '' : 'status code 401: no' }
      },
      { connection: queueConnection(test.deps.env.REDIS_URL), prefix: QUEUE_PREFIX },
    )

    const good = await root('GET', `/api/channel/test/${channel.id}?model=m`)
    const bad = await root('GET', `/api/channel/test/${channel.id}`)
    const missing = await root('GET', '/api/channel/test/999999')
    await worker.close()

    expect(good.body).toEqual({ success: true, message: '', time: 1.234 })
    expect(bad.body).toEqual({ success: false, message: 'status code 401: no', time: 1.234 })
    expect(missing.body.message).toBe('record not found')
    expect(asked).toEqual([{ channel_id: channel.id, model: 'm' }, { channel_id: channel.id }])
  })

  it('starts a test of all channels, and only one at a time', async () => {
    await makeOne({})

    const first = await root('GET', '/api/channel/test')
    const second = await root('GET', '/api/channel/test')

    expect(first.body).toEqual({ success: true, message: '' })
    expect(second.body).toEqual({ success: false, message: '测试已在运行中' })
    const started = (await readChannelRun(test.deps.redis, 'test'))?.id
    await finishChannelRun(test.deps.redis, { id: started ?? '', kind: 'test' }, 1)
    expect((await root('GET', '/api/channel/test')).body.success).toBe(true)
  })

  it('reads one balance in the worker, or says why there is none; all balances have been read when it answers', async () => {
    const { id } = await makeOne({})
    const answers = [
      { balance: 12.5, detail: '', status: 200 },
      { problem: 'unsupported', detail: '', status: 0 },
      { problem: 'currency', detail: '', status: 200 },
      { problem: 'status', detail: '', status: 402 },
      { problem: 'code', detail: 'code: 30001, message: no money', status: 200 },
    ]
    const ended: string[] = []
    const worker = new Worker<{ run_id?: string }>(
      'probe',
      async ({ name, data: { run_id = '' } }) => {
        if (name !== 'run-channels') return answers.shift()
        ended.push(run_id)
        await finishChannelRun(test.deps.redis, { id: run_id, kind: 'balance' }, 1)
        return {}
      },
      { connection: queueConnection(test.deps.env.REDIS_URL), prefix: QUEUE_PREFIX },
    )
    const ask = async (of: number) => (await root('GET', `/api/channel/update_balance/${of}/`)).body

    const said = [await ask(id), await ask(id), await ask(id), await ask(id), await ask(id), await ask(999_999)]
    const all = await root('GET', '/api/channel/update_balance')
    await worker.close()

    expect(said[0]).toEqual({ success: true, message: '', balance: 12.5 })
    expect(said.slice(1).map(({ message }) => message)).toEqual([
      '尚未实现',
      'currency CNY not found',
      'status code: 402',
      'code: 30001, message: no money',
      'record not found',
    ])
    expect(all.body).toEqual({ success: true, message: '' })
    expect(ended).toContain((await readChannelRun(test.deps.redis, 'balance'))?.id)
  })
})
