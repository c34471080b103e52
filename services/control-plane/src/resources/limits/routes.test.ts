import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LimitCheck } from '@tollgate/contracts/resources/limits'
import { toJsonb } from '@tollgate/db/jsonb'
import { createLedger } from '@tollgate/ledger/client/ledger'
import { createSharedLimits } from '@tollgate/ledger/limits/shared-limits'
import { aReserve, testRecovery } from '@tollgate/testing/test-ledger'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'

describe('asking limits about a request', () => {
  let test: TestApp
  let root: Caller
  let user_id: number
  beforeAll(async () => {
    test = await createTestApp()
    root = await test.setUp()
    await root('POST', '/api/channel/', { name: 'one', type: 1, key: 'sk-one', models: 'gpt-4o', group: 'default' })
    await root('POST', '/api/user/', { username: 'caller', password: '12345678', display_name: 'caller' })
    user_id = (await test.deps.db.selectFrom('users').select('id').where('username', '=', 'caller').executeTakeFirstOrThrow()).id
  })
  afterAll(() => test.stop())
  beforeEach(async () => {
    const { redis } = test.deps
    const used = (await Promise.all(['lim:*', 'slot:*', 'win:*'].map((pattern) => redis.keys(pattern)))).flat()
    if (used.length > 0) await redis.del(...used)
    await test.deps.db.deleteFrom('options').where('key', 'in', ['RateLimits', 'ModelRequestRateLimitEnabled']).execute()
    await test.deps.db.updateTable('users').set({ limits: null }).where('id', '=', user_id).execute()
  })

  const ask = (query: string) => root('GET', `/api/limits/check?${query}`)
  const check = async (query: string): Promise<LimitCheck> => (await ask(query)).body.data as LimitCheck // the declared shape
  const setOption = async (key: string, value: unknown) => {
    expect((await root('PUT', '/api/option/', { key, value })).body).toMatchObject({ success: true })
  }

  it('passes a request without limits, and says why another one is refused before its limits', async () => {
    expect(await check('user=caller&model=gpt-4o&prompt_tokens=10')).toEqual({
      passes: true,
      obstacle: null,
      group: 'default',
      tokens: 10 + 4096,
      limits: [],
      budgets: [],
    })
    expect(await check(`user=${user_id}&model=gpt-9`)).toMatchObject({ passes: false, obstacle: 'model-unknown' })
    expect(await check('user=caller&model=gpt-4o&group=vip')).toMatchObject({ obstacle: 'model-unknown', group: 'vip' })
    expect(await check('user=caller&model=gpt-4o&group=svip')).toMatchObject({ obstacle: 'group-disabled' })
    expect(await check('user=caller&model=gpt-4o&group=nothing')).toMatchObject({ obstacle: 'group-gone' })
  })

  it('changes its answer exactly when a relay is refused by the limits of the user, and says when one is free', async () => {
    const limits = { rpm: 2 }
    await test.deps.db
      .updateTable('users')
      .set({ limits: toJsonb(limits) })
      .where('id', '=', user_id)
      .execute()
    const { redis } = test.deps
    await testRecovery(redis, 8).check()
    const ledger = createLedger(redis)
    const { shard } = await test.deps.db.selectFrom('users').select('shard').where('id', '=', user_id).executeTakeFirstOrThrow()
    await redis.hset(`w:{s${shard}}:${user_id}`, { credited: 1_000_000, spent: 0, held: 0, version: 1, auth: 0 })
    const reserve = (at: number) =>
      ledger.reserve(
        aReserve({
          shard,
          user_id,
          token_id: 0,
          request_id: `2026112300000000000000${at}`,
          limits: { user: limits, token: {}, tokens: 1 },
        }),
      )
    const query = 'user=caller&model=gpt-4o'

    expect(await check(query)).toMatchObject({ passes: true, limits: [{ of: 'user', by: 'requests', limit: 2, used: 0, left: 2 }] })
    // A connection hears of an opening within a moment.
    await vi.waitFor(async () => expect((await reserve(1)).kind).toBe('held'))
    expect(await check(query)).toMatchObject({ passes: true, limits: [{ used: 1, left: 1, wait_ms: 0 }] })
    expect((await reserve(2)).kind).toBe('held')
    const full = await check(query)
    expect(full).toMatchObject({ passes: false, obstacle: null, limits: [{ name: `#${user_id} caller`, used: 2, left: 0, passes: false }] })
    expect(full.limits[0]?.wait_ms).toBeGreaterThan(50_000)
    expect((await reserve(3)).kind).toBe('over-limit')
  })

  it('asks the limits of group and model, with the tokens of the request', async () => {
    await setOption('RateLimits', JSON.stringify({ group: { default: { rpm: 5 } }, model: { 'gpt-4o': { tpm: 100 } } }))
    const shared = createSharedLimits(test.deps.redis)
    const limits = [{ of: 'model', name: 'gpt-4o', limits: { tpm: 100 } }] as const

    expect(await check('user=caller&model=gpt-4o&prompt_tokens=10&max_tokens=50')).toMatchObject({
      passes: true,
      tokens: 60,
      limits: [
        { of: 'group', name: 'default', by: 'requests' },
        { of: 'model', name: 'gpt-4o', by: 'tokens', left: 100 },
      ],
    })
    await shared.take({ request_id: 'one', tokens: 41, limits })
    expect(await check('user=caller&model=gpt-4o&prompt_tokens=9&max_tokens=50')).toMatchObject({ passes: true })
    expect(await check('user=caller&model=gpt-4o&prompt_tokens=10&max_tokens=50')).toMatchObject({ passes: false })
    expect(await check('user=caller&model=gpt-4o&prompt_tokens=101')).toMatchObject({ passes: false, obstacle: 'prompt-too-long' })
  })

  it('passes while one channel is not full', async () => {
    const channels = test.deps.db.updateTable('channels').set({ setting: '{"limits":{"concurrency":1}}' }).where('name', '=', 'one')
    const { id } = await channels.returning('id').executeTakeFirstOrThrow()
    const shared = createSharedLimits(test.deps.redis)
    const limits = [{ of: 'channel', name: String(id), limits: { concurrency: 1 } }] as const
    await shared.take({ request_id: 'one', tokens: 1, limits })

    const full = { of: 'channel', name: `#${id} one`, by: 'concurrency', used: 1, left: 0, passes: false }
    expect(await check('user=caller&model=gpt-4o')).toMatchObject({ passes: false, obstacle: null, limits: [full] })
    await root('POST', '/api/channel/', { name: 'two', type: 1, key: 'sk-two', models: 'gpt-4o', group: 'default' })
    expect(await check('user=caller&model=gpt-4o')).toMatchObject({ passes: true, limits: [full] })
    await test.deps.db.updateTable('channels').set({ setting: '' }).where('id', '=', id).execute()
  })

  it('asks the windows of the options', async () => {
    await setOption('ModelRequestRateLimitEnabled', 'true')
    expect(await check('user=caller&model=gpt-4o')).toMatchObject({
      passes: true,
      limits: [{ of: 'user', by: 'success', limit: 1000, used: 0, window_ms: 60_000 }],
    })
  })

  it('refuses other users, unknown names and numbers out of range', async () => {
    const caller = await test.signIn('caller', '12345678')
    expect((await caller('GET', '/api/limits/check?user=caller&model=gpt-4o')).body.success).toBe(false)
    expect((await ask('user=missing-user&model=gpt-4o')).body).toMatchObject({ success: false })
    expect((await ask('user=caller&token=none&model=gpt-4o')).body).toMatchObject({ success: false })
    expect((await ask('user=caller&model=gpt-4o&prompt_tokens=-1')).body).toMatchObject({ success: false })
    expect((await ask('user=caller')).body).toMatchObject({ success: false })
  })
})
