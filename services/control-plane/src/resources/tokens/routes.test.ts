import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Token } from '@tollgate/contracts/resources/tokens'
import { toJsonb } from '@tollgate/db/jsonb'
import { hashPassword } from '../../authentication/passwords.ts'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'

const EXPIRY = '过期时间必须是晚于当前时间的 Unix 秒，-1 表示永不过期'

describe('tokens', () => {
  let test: TestApp
  let root: Caller
  beforeAll(async () => {
    test = await createTestApp()
    root = await test.setUp()
  })
  afterAll(() => test.stop())

  // The contract's schema types the answers under test.
  const list = async (call: Caller, query = ''): Promise<Token[]> => (await call('GET', `/api/token/${query}`)).body.data as Token[]
  const make = async (fields: object): Promise<Token> => {
    const { body } = await root('POST', '/api/token/', fields)
    expect(body).toEqual({ success: true, message: '' })
    const [newest] = await list(root)
    if (newest === undefined) throw new Error('the token is not listed')
    return newest
  }

  it('creates a key of 48 letters and digits and does not return it', async () => {
    const token = await make({ name: '首个', remain_quota: 500, expired_time: -1 })

    expect(token.key).toMatch(/^[0-9A-Za-z]{48}$/)
    expect(token).toMatchObject({ name: '首个', status: 1, remain_quota: 500, used_quota: 0, expired_time: -1, group: '', DeletedAt: null })
  })

  it('reads a null quota as 0', async () => {
    const token = await make({ name: 'null', remain_quota: null, unlimited_quota: true })
    expect(token).toMatchObject({ remain_quota: 0, unlimited_quota: true })

    await root('PUT', '/api/token/', { id: token.id, remain_quota: 9 })
    expect((await root('PUT', '/api/token/', { id: token.id, remain_quota: null })).body.data).toMatchObject({ remain_quota: 0 })
  })

  it('refuses amounts, and edits that add up to amounts, beyond the range in which sums are exact', async () => {
    const token = await make({ name: 'bounded', remain_quota: 5 })
    const edit = async (fields: object) => (await root('PUT', '/api/token/', { id: token.id, ...fields })).body
    const most = 1_000_000_000_000_000

    expect((await edit({ remain_quota: Number.MAX_SAFE_INTEGER, remain_quota_before: -Number.MAX_SAFE_INTEGER })).success).toBe(false)
    expect(await edit({ remain_quota: most, remain_quota_before: -most })).toEqual({
      success: false,
      message: '无效的参数：数值超出允许范围',
    })
    expect((await edit({ remain_quota: most })).data).toMatchObject({ remain_quota: most })
    expect((await root('POST', '/api/token/', { name: 'x', remain_quota: most + 1 })).body.success).toBe(false)
    expect((await list(root)).find(({ id }) => id === token.id)).toMatchObject({ remain_quota: most })
  })

  it('refuses lists of more than 256 entries or 8 KB', async () => {
    const addresses = (count: number) => Array.from({ length: count }, (_, nth) => `10.${nth >> 8}.${nth & 255}.1`).join('\n')
    const names = (count: number, length: number) => Array.from({ length: count }, (_, nth) => `${nth}`.padEnd(length, '模')).join(',')
    const create = async (fields: object) => (await root('POST', '/api/token/', { name: 'lists', ...fields })).body.message

    expect(await create({ allow_ips: addresses(256), model_limits: names(256, 4) })).toBe('')
    expect(await create({ allow_ips: addresses(257) })).toBe('allow_ips 最多 256 项、8192 字节')
    expect(await create({ model_limits: names(257, 3) })).toBe('model_limits 最多 256 项、8192 字节')
    expect(await create({ model_limits: names(100, 40) })).toBe('model_limits 最多 256 项、8192 字节')
    expect(await create({ allow_ips: `10.0.0.1\n`.repeat(300_000) })).toMatch(/^无效的参数：allow_ips/)
    const [token] = await list(root)
    expect((await root('PUT', '/api/token/', { id: token?.id, allow_ips: addresses(257) })).body.message).toMatch(/^allow_ips/)
  })

  it('stores no readable key in the database', async () => {
    const token = await make({ name: 'sealed' })

    const row = await test.deps.db.selectFrom('tokens').selectAll().where('id', '=', token.id).executeTakeFirstOrThrow()

    expect(JSON.stringify(row)).not.toContain(token.key)
    expect(row).toMatchObject({ key_head: token.key.slice(0, 4), key_tail: token.key.slice(-4) })
  })

  it.each([
    ['a name over 30 characters', { name: '名'.repeat(31) }, '令牌名称过长'],
    ['a negative quota', { remain_quota: -1 }, 'quota 不能为负数！'],
    ['a group that the user may not choose', { group: 'svip' }, '无权使用分组 svip'],
    ['something that is no address', { allow_ips: '10.0.0.1\nlocalhost' }, '无效的 IP 地址或网段：localhost'],
    ['a range with too many bits', { allow_ips: '10.0.0.0/33' }, '无效的 IP 地址或网段：10.0.0.0/33'],
    ['an expiry that is no moment', { expired_time: 0 }, EXPIRY],
    ['an expiry in the past', { expired_time: 1_700_000_000 }, EXPIRY],
    ['an expiry in milliseconds', { expired_time: 4_100_000_000_000 }, EXPIRY],
  ])('refuses %s and names the field', async (_reason, fields, message) => {
    expect((await root('POST', '/api/token/', fields)).body).toEqual({ success: false, message, field: Object.keys(fields)[0] })
  })

  it('keeps limits that were not sent, updates those that were, and removes them with null', async () => {
    const token = await make({ name: 'limited', limits: { rpm: 10, tpm: 1000 } })
    const plain = await make({ name: 'plain', limits: {} })
    const change = async (fields: object) => ((await root('PUT', '/api/token/', { id: token.id, ...fields })).body.data as Token).limits

    expect([token.limits, plain.limits]).toEqual([{ rpm: 10, tpm: 1000 }, null])
    expect(await change({ name: 'renamed' })).toEqual({ rpm: 10, tpm: 1000 })
    expect(await change({ limits: { concurrency: 3 } })).toEqual({ concurrency: 3 })
    expect(await change({ limits: null })).toBeNull()
    expect((await root('PUT', '/api/token/', { id: token.id, limits: { rpm: 0 } })).body).toMatchObject({ success: false })
  })

  it('accepts thirty Chinese characters, ranges, and the own group', async () => {
    const token = await make({
      name: '名'.repeat(30),
      allow_ips: ' 10.0.0.0/8,\n2001:db8::1 \n\n',
      group: 'default',
      model_limits: 'a, b,a,',
    })

    expect(token).toMatchObject({ allow_ips: '10.0.0.0/8\n2001:db8::1', group: 'default', model_limits: 'a,b' })
  })

  it('starts pages at 0 and caps the size at 100', async () => {
    const first = await list(root, '?p=0&size=1')
    const second = await list(root, '?p=1&size=1')

    expect(first).toHaveLength(1)
    expect(second[0]?.id).toBeLessThan(first[0]?.id ?? 0)
    expect((await list(root, '?size=1000')).length).toBeGreaterThan(1)
    expect(await list(root, '?p=99')).toEqual([])
    const all = await list(root, '?size=100')
    expect((await root('GET', '/api/token/count')).body.data).toEqual({ total: all.length })
  })

  it('searches by part of the name with literal wildcards, and by complete key, head and tail, but no middle part', async () => {
    const token = await make({ name: '100% sure' })
    const found = async (query: string): Promise<string[]> =>
      ((await root('GET', `/api/token/search?${query}`)).body.data as Token[]).map(({ name }) => name)

    expect(await found('keyword=0%25%20s')).toEqual(['100% sure'])
    expect(await found('keyword=_')).toEqual([])
    expect(await found(`token=sk-${token.key}`)).toEqual(['100% sure'])
    expect(await found(`token=${token.key.slice(0, 10)}`)).toEqual(['100% sure'])
    expect(await found(`token=${token.key.slice(-6)}`)).toEqual(['100% sure'])
    expect(await found(`token=${token.key.slice(0, 10)}!`)).toEqual([])
    expect(await found(`token=${token.key.slice(10, 30)}`)).toEqual([])
  })

  it('answers "record not found" for a token of another user', async () => {
    expect((await root('GET', '/api/token/999999')).body).toEqual({ success: false, message: 'record not found' })
    expect((await root('DELETE', '/api/token/999999/')).body).toEqual({ success: false, message: 'record not found' })
    expect((await root('PUT', '/api/token/', { name: 'x' })).body.message).toBe('id 或 userId 为空！')
  })

  it('shows an expired token as 3 and an exhausted one as 4, and refuses to enable them', async () => {
    const { id } = await make({ name: 'old', remain_quota: 5 })
    await test.deps.db.updateTable('tokens').set({ expired_time: 1000 }).where('id', '=', id).execute()
    // The whole row of a token that has expired can still be sent back.
    const expired = (await root('PUT', '/api/token/', { id, name: 'old', expired_time: 1000 })).body.data as Token
    const empty = await make({ name: 'empty' })

    expect([expired.status, empty.status]).toEqual([3, 4])
    expect((await root('PUT', '/api/token/?status_only=true', { id: expired.id, status: 1 })).body.message).toBe(
      '令牌已过期，无法启用，请先修改令牌过期时间，或者设置为永不过期',
    )
    expect((await root('PUT', '/api/token/?status_only=true', { id: empty.id, status: 1 })).body.message).toBe(
      '令牌可用额度已用尽，无法启用，请先修改令牌剩余额度，或者设置为无限额度',
    )
  })

  it('updates only the status with status_only', async () => {
    const token = await make({ name: 'kept', remain_quota: 7 })

    const { body } = await root('PUT', '/api/token/?status_only=true', { id: token.id, status: 2, name: 'not this', remain_quota: 0 })

    expect(body.data).toMatchObject({ status: 2, name: 'kept', remain_quota: 7 })
    expect((await root('PUT', '/api/token/?status_only=true', { id: token.id, status: 4 })).body.success).toBe(false)
  })

  it('keeps quota that was spent while the form was open', async () => {
    const token = await make({ name: 'edited', remain_quota: 1000 })
    await test.deps.db
      .updateTable('tokens')
      .set((eb) => ({ charged: eb('charged', '+', 300) }))
      .where('id', '=', token.id)
      .execute()

    const { body } = await root('PUT', '/api/token/', { ...token, remain_quota: 1500 })

    expect(body.data).toMatchObject({ remain_quota: 1200 })
  })

  it('sets the quota for a script, whatever it was shown', async () => {
    const token = await make({ name: 'scripted', remain_quota: 1000 })
    await test.deps.db.updateTable('tokens').set({ charged: 300 }).where('id', '=', token.id).execute()

    const { body } = await root('PUT', '/api/token/', { id: token.id, remain_quota: 1000 })

    expect(body.data).toMatchObject({ remain_quota: 1000 })
  })

  it('uses the baseline that the form sends, and books a form once', async () => {
    const token = await make({ name: 'form', remain_quota: 100 })
    const edit = { id: token.id, remain_quota: 150, remain_quota_before: 100, form_id: 'f-1' }

    await root('PUT', '/api/token/', edit)
    const { body } = await root('PUT', '/api/token/', edit)

    expect(body.data).toMatchObject({ remain_quota: 150 })
  })

  it('keeps the status in a full update and refuses a group that the user may not choose', async () => {
    const token = await make({ name: 'full', remain_quota: 10 })
    await root('PUT', '/api/token/?status_only=true', { id: token.id, status: 2 })

    const { body } = await root('PUT', '/api/token/', { ...token, status: 1, name: 'fuller' })

    expect(body.data).toMatchObject({ status: 2, name: 'fuller', remain_quota: 10 })
    expect((await root('PUT', '/api/token/', { ...token, group: 'nowhere' })).body.message).toBe('无权使用分组 nowhere')
  })

  it('loses no grant when edits and spending run concurrently', async () => {
    const token = await make({ name: 'busy', remain_quota: 1000 })

    await Promise.all(
      Array.from({ length: 10 }, async (_unused, index) => {
        await root('PUT', '/api/token/', { id: token.id, remain_quota: 1010, remain_quota_before: 1000, form_id: `busy-${index}` })
        await test.deps.db
          .updateTable('tokens')
          .set((eb) => ({ charged: eb('charged', '+', 7) }))
          .where('id', '=', token.id)
          .execute()
      }),
    )

    const { body } = await root('GET', `/api/token/${token.id}`)
    expect(body.data).toMatchObject({ remain_quota: 1000 + 10 * 10 - 10 * 7 })
  })

  it.each(['a\u0001b', 'a\nb', 'gpt\u202Egnp', 'a\u200Bb', '\uFEFFname'])(
    'refuses a name with control or direction characters: %j',
    async (name) => {
      const message = '令牌名称不能包含控制字符或改变文字方向的字符'
      expect((await root('POST', '/api/token/', { name })).body).toEqual({ success: false, message, field: 'name' })
      const token = await make({ name: 'plain' })
      expect((await root('PUT', '/api/token/', { id: token.id, name })).body.message).toBe(message)
      // One that has such a name from before can be edited otherwise.
      await test.database.db.updateTable('tokens').set({ name: 'old\u202Ename' }).where('id', '=', token.id).execute()
      expect((await root('PUT', '/api/token/', { id: token.id, name: 'old\u202Ename', group: '' })).body.success).toBe(true)
    },
  )

  it('takes names of every script, with emoji that are joined', async () => {
    for (const name of ['令牌 1', 'clé', '👩\u200D💻 ci']) expect(await make({ name })).toMatchObject({ name })
  })

  it('keeps what another page saved meanwhile, and refuses a field that both changed', async () => {
    const token = await make({ name: 'first', model_limits: 'a' })
    const was = { name: 'first', model_limits: 'a', group: '' }
    await root('PUT', '/api/token/', { id: token.id, name: 'by one' })

    const kept = await root('PUT', '/api/token/', { ...was, id: token.id, model_limits: 'a,b', was })
    expect(kept.body.data).toMatchObject({ name: 'by one', model_limits: 'a,b' })
    const refused = await root('PUT', '/api/token/', { ...was, id: token.id, name: 'by two', was })
    expect([refused.status, refused.body.data]).toEqual([
      409,
      { conflicts: [{ field: 'name', was: 'first', now: 'by one', yours: 'by two' }] },
    ])
  })

  it('compares lists of models and limits by what they hold', async () => {
    const limits = { rpm: 5, tpm: 100 }
    const token = await make({ name: 'first', model_limits: 'a,b', limits })
    const was = { name: 'first', model_limits: 'a,b', limits: { tpm: 100, rpm: 5 } }
    await root('PUT', '/api/token/', { id: token.id, model_limits: 'a,b,c' })

    const kept = await root('PUT', '/api/token/', { ...was, id: token.id, limits: { rpm: 6 }, was })
    expect(kept.body.data).toMatchObject({ model_limits: 'a,b,c', limits: { rpm: 6 } })
    const { body } = await root('PUT', '/api/token/', { ...was, id: token.id, model_limits: 'b,d', limits: { rpm: 7 }, was })
    expect(body.data).toEqual({
      conflicts: [
        { field: 'model_limits', was: 'a,b', now: 'a,b,c', yours: 'b,d', merged: 'b,c,d' },
        { field: 'limits', was: was.limits, now: { rpm: 6 }, yours: { rpm: 7 } },
      ],
    })
  })

  describe('that has open work', () => {
    const begin = async (token: Token) => {
      const { db } = test.database
      const ids = { user_id: token.user_id, token_id: token.id }
      const task = { ...ids, task_id: `t${token.id}`, channel_id: 1, request_id: `r${token.id}`, family: 'video', state: 'queued' } as const
      const { id } = await db
        .insertInto('tasks')
        .values({ ...task, submit_time: 1, deadline: 9, quote: toJsonb({}), data: toJsonb({}) })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db.insertInto('task_polls').values({ task: id, channel_id: 1, next_poll_at: 9 }).execute()
      const request = {
        id: `resp_${token.id}`,
        ...ids,
        endpoint: '/v1/responses',
        ip: '',
        body: '',
        created_at: 1,
        expires_at: 9,
        next_at: 1,
      }
      await db.insertInto('deferred_requests').values(request).execute()
    }

    it('says how much before it is deleted, and deletes when that is confirmed', async () => {
      const token = await make({ name: 'busy' })
      await begin(token)

      expect((await root('GET', `/api/token/${token.id}/open_work`)).body.data).toEqual({ tasks: 1, batches: 0, responses: 1 })
      const refused = await root('DELETE', `/api/token/${token.id}?confirm=ask`, undefined, { 'Accept-Language': 'en' })
      expect(refused.body).toEqual({
        success: false,
        message: 'This token has 2 open tasks, batches or background responses, which would end without it. Confirm the deletion',
        field: 'confirm',
      })
      expect((await root('GET', `/api/token/${token.id}`)).body.success).toBe(true)
      expect((await root('DELETE', `/api/token/${token.id}?confirm=yes`)).body).toEqual({ success: true, message: '' })
      expect((await root('GET', `/api/token/${token.id}`)).body.success).toBe(false)
    })

    it('is deleted for a console that does not ask, with a warning', async () => {
      const token = await make({ name: 'busy' })
      await begin(token)

      expect((await root('DELETE', `/api/token/${token.id}`)).body).toEqual({
        success: true,
        message: '',
        warnings: ['该令牌有 2 个未结束的任务、批处理或后台响应'],
      })
      expect((await root('GET', `/api/token/${token.id}`)).body.success).toBe(false)
    })

    it('is shown to its owner only', async () => {
      const token = await make({ name: 'busy' })
      await begin(token)
      const password_hash = await hashPassword('a-long-password')
      await test.database.db.insertInto('users').values({ username: 'lin', shard: 0, created_at: 1, password_hash }).execute()
      const lin = await test.signIn('lin', 'a-long-password')

      expect((await lin('GET', `/api/token/${token.id}/open_work`)).body.success).toBe(false)
    })
  })

  it('is not found after deletion', async () => {
    const token = await make({ name: 'gone' })

    expect((await root('DELETE', `/api/token/${token.id}/`)).body).toEqual({ success: true, message: '' })

    expect((await root('GET', `/api/token/${token.id}`)).body.message).toBe('record not found')
    expect((await list(root)).map(({ id }) => id)).not.toContain(token.id)
  })
})
