import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Worker } from 'bullmq'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealedBy } from '@tollgate/config/sealing'
import type { Channel } from '@tollgate/contracts/resources/channels'
import { createUser } from '@tollgate/db/queries/users'
import { QUEUE_PREFIX, queueConnection } from '@tollgate/jobs/connection'
import { keys } from '@tollgate/redis/keys'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'
import { hashPassword } from '../../sessions/passwords.ts'

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
      .select(['group', 'model', 'enabled', 'priority', 'weight', 'tag'])
      .where('channel_id', '=', id)
      .orderBy('group')
      .orderBy('model')
      .execute()
  const keyOf = async (id: number): Promise<string> => {
    const { key_sealed } = await test.deps.db.selectFrom('channels').select('key_sealed').where('id', '=', id).executeTakeFirstOrThrow()
    return test.deps.sealers.channels.unseal(key_sealed, sealedBy.channelKey(id))
  }
  const published = async (id: number): Promise<unknown> => {
    const text = await test.deps.redis.hget(keys.snapshot('channels'), String(id))
    return text === null ? undefined : JSON.parse(text)
  }

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
        priority: 3,
        weight: 4,
        tag: '',
      })),
    )
  })

  it.each([
    ['blank key lines', { key: ' \n ' }, '渠道密钥不能为空'],
    ['an unknown type', { type: 29 }, '未知的渠道类型：29'],
    ['a model name over 255 bytes', { models: `a,${'模'.repeat(86)}` }, `模型名称过长: ${'模'.repeat(86)}`],
    ['a mapping that is no JSON', { model_mapping: '{a}' }, 'model_mapping 必须是合法的 JSON 格式'],
    ['a mapping of something else than names', { model_mapping: '{"a":1}' }, 'model_mapping 必须是合法的 JSON 格式'],
    ['an override that is no object', { param_override: '[1]' }, 'param_override 必须是合法的 JSON 格式'],
    [
      'limits with a typing error',
      { setting: '{"limits":{"rmp":3}}' },
      '渠道限制无效：limits 只能包含 rpm、tpm、concurrency，且必须是正整数',
    ],
    ['an address that is none', { base_url: 'ftp://x' }, '无效的接口地址'],
    ['Vertex without a region', { type: 41, key: '{}' }, '部署地区不能为空'],
    ['Vertex regions without default', { type: 41, key: '{}', other: '{"gemini":"us"}' }, '部署地区必须包含default字段'],
    ['a Vertex region that would become another host', { type: 41, key: '{}', other: 'evil.example/#' }, '参数错误'],
  ])('refuses %s', async (_reason, fields, message) => {
    const { body } = await root('POST', '/api/channel/', { type: 1, name: 'c', key: 'sk-k', models: 'm', ...fields })
    expect(body).toEqual({ success: false, message })
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

  it('refuses a key that is the id of a channel', async () => {
    const channel = await makeOne({ name: 'original' })

    const { body } = await root('POST', '/api/channel/', { type: 1, name: 'copy', key: String(channel.id), models: 'm' })

    expect(body.message).toBe('渠道密钥不能是渠道 ID，请使用复制接口')
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
    expect(await abilitiesOf(channel.id)).toEqual([{ group: 'default', model: 'gpt-4o', enabled: false, priority: 0, weight: 0, tag: '' }])
  })

  it('updates priority and weight alone, down to zero', async () => {
    const channel = await makeOne({ priority: 5, weight: 5 })

    await root('PUT', '/api/channel/', { id: channel.id, priority: -3 })
    const { body } = await root('PUT', '/api/channel/', { id: channel.id, weight: -1 })

    expect(body.data).toMatchObject({ priority: -3, weight: 0, models: 'gpt-4o' })
    expect(await abilitiesOf(channel.id)).toMatchObject([{ priority: -3, weight: 0 }])
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

  it('records in the audit when root sends a stored key to another address', async () => {
    const channel = await makeOne({ base_url: 'https://good.example' })

    await root('PUT', '/api/channel/', { id: channel.id, base_url: 'https://other.example' })

    const entry = await test.deps.db
      .selectFrom('audit_entries')
      .selectAll()
      .where('subject', '=', `channel ${channel.id}`)
      .executeTakeFirstOrThrow()
    expect(entry).toMatchObject({ action: 'channel.redirect', detail: { fields: ['base_url'], to: 'https://other.example' } })
  })

  it('sums the used quota over shards', async () => {
    const channel = await makeOne({})
    const rows = [1, 2].map((shard) => ({ channel_id: channel.id, shard, used_quota: 3_000_000_000, requests: 1 }))
    await test.deps.db.insertInto('channel_usage').values(rows).execute()

    expect((await root('GET', `/api/channel/${channel.id}`)).body.data).toMatchObject({ used_quota: 6_000_000_000 })
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
      { model: 'x', enabled: false, tag: 'gamma' },
      { model: 'y', enabled: false, tag: 'gamma' },
    ])
    expect(await published(changed[0]?.id ?? 0)).toMatchObject({ tag: 'gamma', models: ['x', 'y'], status: 2 })
  })

  it('removes a tag without changing untagged channels', async () => {
    const plain = await makeOne({ models: 'plain' })
    const tagged = await makeOne({ models: 'old', tag: 'solve' })

    await root('PUT', '/api/channel/tag', { tag: 'solve', new_tag: '', models: 'new' })

    expect(await abilitiesOf(plain.id)).toMatchObject([{ model: 'plain' }])
    expect(await abilitiesOf(tagged.id)).toMatchObject([{ model: 'new', tag: '' }])
  })

  it('refuses a blank tag and an empty selection', async () => {
    expect((await root('PUT', '/api/channel/tag', { tag: ' ' })).body.message).toBe('tag不能为空')
    expect((await root('POST', '/api/channel/tag/enabled', {})).body.message).toBe('参数错误')
    expect((await root('POST', '/api/channel/batch', { ids: [] })).body.message).toBe('参数错误')
    expect((await root('POST', '/api/channel/batch/tag', { tag: 'x' })).body.message).toBe('参数错误')
  })

  it('tags and untags a selection with its abilities', async () => {
    const channel = await makeOne({})

    expect((await root('POST', '/api/channel/batch/tag', { ids: [channel.id], tag: 'set' })).body.data).toBe(1)
    expect(await abilitiesOf(channel.id)).toMatchObject([{ tag: 'set' }])
    await root('POST', '/api/channel/batch/tag', { ids: [channel.id], tag: null })
    expect(await abilitiesOf(channel.id)).toMatchObject([{ tag: '' }])
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

  it('waits for the worker to test a channel and returns the time in seconds', async () => {
    const channel = await makeOne({})
    const asked: unknown[] = []
    const worker = new Worker(
      'probe',
      async (job) => {
        asked.push(job.data)
        return { ok: asked.length === 1, time_ms: 1234, message: asked.length === 1 ? '' : 'status code 401: no' }
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
})
