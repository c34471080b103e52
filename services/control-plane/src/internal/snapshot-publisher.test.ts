import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { optionKeys, type OptionKey } from '@tollgate/contracts/options/registry'
import { SNAPSHOT_FORMAT } from '@tollgate/contracts/relay/snapshot'
import { saveOption } from '@tollgate/db/queries/installation/options'
import { getSnapshotVersion, raiseSnapshotVersion } from '@tollgate/db/queries/installation/snapshot'
import { sealedBy } from '@tollgate/config/sealing'
import { keys } from '@tollgate/redis/keys'
import { createSnapshotReader, findSnapshotHead, type SnapshotReader } from '@tollgate/redis/snapshot/snapshot-store'
import { createTestApp, ROOT, type Caller, type TestApp } from '../../test/test-app.ts'
import { publishAfter, repairSnapshot, startSnapshotRepair } from './snapshot-publisher.ts'

/** The first call may join a poll that began before the last change. */
async function catchUp(reader: SnapshotReader): Promise<void> {
  await reader.poll()
  await reader.poll()
}

describe('snapshot publication', () => {
  let test: TestApp
  let root: Caller
  beforeAll(async () => {
    test = await createTestApp()
    root = await test.setUp()
    await repairSnapshot(test.deps)
  })
  afterAll(() => test.stop())

  const aReader = async () => {
    const reader = createSnapshotReader(test.deps.redis, { pollMs: 50 })
    await reader.start()
    return reader
  }
  const setOption = (key: string, value: string): Promise<number> =>
    test.deps.db.transaction().execute(async (tx) => {
      await saveOption(tx, { key, value, is_sealed: false, updated_at: 1, updated_by: 0 })
      return raiseSnapshotVersion(tx)
    })
  const aChannel = (name: string) =>
    root('POST', '/api/channel/', { type: 1, name, key: 'sk-x', models: 'm', setting: '{"proxy":"http://p:1"}' })

  it('publishes channels, prices, groups and the options that relays read, without secrets', async () => {
    await aChannel('seen')
    const reader = await aReader()

    const { channels, prices, groups, options } = reader.current()
    reader.stop()

    const channel = [...channels.values()].find(({ name }) => name === 'seen')
    expect(channel).toMatchObject({ models: ['m'], groups: ['default'], auto_ban: true, setting: { proxy: 'http://p:1' }, status: 1 })
    expect(channel?.key_sealed).toMatch(/^v1\./)
    expect(prices.get('gpt-4o')).toMatchObject({ model: 'gpt-4o', ratio: 1.25, cache_ratio: 0.5 })
    expect(prices.get('mj_inpaint')).toMatchObject({ price: 0 })
    expect(groups.get('default')).toEqual({ name: 'default', ratio: 1, usable_label: '默认分组' })
    expect(groups.get('svip')).toMatchObject({ usable_label: null })
    expect(options.get('QuotaPerUnit')).toBe('500000')
    expect([...options.keys()].filter((key) => /secret|token$|key$/i.test(key))).toEqual(['WorkerValidKey'])
  })

  it('publishes a secret that relays need sealed with their key', async () => {
    await root('PUT', '/api/option/', { key: 'WorkerValidKey', value: 'the-valid-key' })
    const reader = await aReader()

    const sealed = reader.current().options.get('WorkerValidKey') ?? ''
    reader.stop()

    expect(sealed).toMatch(/^v1\./)
    expect(test.deps.sealers.channels.unseal(sealed, sealedBy.option('WorkerValidKey'))).toBe('the-valid-key')
  })

  it('publishes no channel field that relays do not read', async () => {
    await aChannel('quiet')
    const text = JSON.stringify(await test.deps.redis.hgetall(keys.snapshot('channels')))
    for (const field of ['balance', 'response_time', 'used_quota', 'key_hash', 'test_time']) expect(text).not.toContain(`"${field}"`)
  })

  it('reaches a relay within 100 ms', async () => {
    const reader = createSnapshotReader(test.deps.redis)
    await reader.start()
    const delays: number[] = []
    for (let nth = 0; nth < 5; nth += 1) {
      await aChannel(`new ${nth}`)
      const started = performance.now()
      await vi.waitFor(() => expect([...reader.current().channels.values()].some(({ name }) => name === `new ${nth}`)).toBe(true), {
        timeout: 5000,
        interval: 2,
      })
      delays.push(performance.now() - started)
    }
    reader.stop()

    // The median, because a busy machine may delay a single one.
    expect(delays.toSorted((a, b) => a - b)[2]).toBeLessThan(100)
  })

  it('publishes changed prices and groups, and removes deleted ones', async () => {
    const reader = await aReader()
    expect(reader.current().prices.has('gpt-4o')).toBe(true)

    const first = await setOption('ModelRatio', '{"only":0}')
    await publishAfter(test.deps, { version: first, options: ['ModelRatio'] })
    const second = await setOption('GroupRatio', '{"default":2}')
    await publishAfter(test.deps, { version: second, options: ['GroupRatio'] })
    await catchUp(reader)
    reader.stop()

    const { prices, groups, version } = reader.current()
    expect(version).toBe(second)
    expect(prices.get('only')).toEqual({ model: 'only', ratio: 0 })
    expect(prices.get('gpt-4o-all')).toBeUndefined()
    expect(prices.get('gpt-4o')).toMatchObject({ model: 'gpt-4o', cache_ratio: 0.5, completion_ratio: 4 })
    expect(prices.get('gpt-4o')).not.toHaveProperty('ratio')
    expect([...groups.values()]).toEqual([{ name: 'default', ratio: 2, usable_label: '默认分组' }])
  })

  it('publishes every kind of price, the tool prices as an option, and ratios for user groups', async () => {
    const reader = await aReader()
    const saved: Partial<Record<OptionKey, string>> = {
      ModelRatio: '{"full":1}',
      CompletionRatio: '{"full":2}',
      ReasoningRatio: '{"full":6}',
      CacheRatio: '{"full":0.1}',
      CreateCacheRatio: '{"full":1.25}',
      CreateCacheRatio1h: '{"full":2}',
      ImageRatio: '{"full":3}',
      ImageCacheRatio: '{"full":0.2}',
      ImageCompletionRatio: '{"full":4}',
      VideoRatio: '{"full":7}',
      AudioRatio: '{"full":5}',
      AudioCacheRatio: '{"full":0.3}',
      AudioCompletionRatio: '{"full":0}',
      PriceCards: '{"full":[{"above":200000,"model_ratio":2}]}',
      PriceHours: '{"full":[{"from":"01:00","to":"04:00","ratio":0.5}]}',
      TierRatio: '{"full":{"priority":2,"flex":{"model_ratio":0.5,"cache_ratio":1}}}',
      GroupRatio: '{"default":1,"vip":2}',
      GroupGroupRatio: '{"svip":{"vip":0.5}}',
      GroupModelRatio: '{"vip":{"full":0.7}}',
      'tool_price_setting.prices': '{"web_search":12}',
    }
    for (const key of optionKeys) {
      const text = saved[key]
      if (text !== undefined) await publishAfter(test.deps, { version: await setOption(key, text), options: [key] })
    }
    await catchUp(reader)
    reader.stop()

    const { prices, groups, options } = reader.current()
    expect(prices.get('full')).toEqual({
      model: 'full',
      ratio: 1,
      completion_ratio: 2,
      reasoning_ratio: 6,
      cache_ratio: 0.1,
      cache_creation_ratio: 1.25,
      cache_creation_1h_ratio: 2,
      image_ratio: 3,
      image_cache_ratio: 0.2,
      image_completion_ratio: 4,
      video_ratio: 7,
      audio_ratio: 5,
      audio_cache_ratio: 0.3,
      audio_completion_ratio: 0,
      cards: [{ above: 200_000, model_ratio: 2 }],
      tiers: { priority: 2, flex: { model_ratio: 0.5, cache_ratio: 1 } },
      hours: [{ from: '01:00', to: '04:00', ratio: 0.5 }],
    })
    expect(groups.get('vip')).toMatchObject({ ratio: 2, ratio_for: { svip: 0.5 }, ratio_of: { full: 0.7 } })
    expect(groups.get('default')).not.toHaveProperty('ratio_for')
    expect(JSON.parse(options.get('tool_price_setting.prices') ?? '')).toEqual({ web_search: 12 })
  })

  it('publishes everything when an earlier change was not published', async () => {
    const lost = await setOption('RetryTimes', '7')
    const next = await setOption('PreConsumedQuota', '1')

    await publishAfter(test.deps, { version: next, options: ['PreConsumedQuota'] })

    expect(await test.deps.redis.hget(keys.snapshot('options'), 'RetryTimes')).toBe('"7"')
    expect(await findSnapshotHead(test.deps.redis)).toMatchObject({ version: next, format: SNAPSHOT_FORMAT })
    await publishAfter(test.deps, { version: lost, options: ['RetryTimes'] })
    expect(await findSnapshotHead(test.deps.redis)).toMatchObject({ version: next })
  })

  it('publishes again after Redis was emptied, also for relays that are running', async () => {
    const reader = await aReader()
    const loop = startSnapshotRepair(test.deps, 50)
    await setOption('RetryTimes', '9')
    await test.deps.redis.flushall()

    await vi.waitFor(() => expect(reader.current().options.get('RetryTimes')).toBe('9'), { timeout: 5000 })
    await loop.stop()
    reader.stop()

    expect(await findSnapshotHead(test.deps.redis)).toMatchObject({ version: await getSnapshotVersion(test.deps.db) })
    expect(reader.current().channels.size).toBeGreaterThan(0)
  })

  it('does not throw after a commit while Redis is unavailable, and repairs later', async () => {
    const version = await setOption('RetryTimes', '3')
    const warnings: string[] = []
    const broken = new Proxy(test.deps.redis, { get: () => () => Promise.reject(new Error('unavailable')) })
    const log = { ...test.deps.log, warn: (_fields: object, text: string) => void warnings.push(text) }

    const publication = await publishAfter({ ...test.deps, redis: broken, log }, { version, options: ['RetryTimes'] })

    expect(publication).toBe('delayed')
    expect(warnings).toHaveLength(1)
    expect(await repairSnapshot(test.deps)).toBe('repaired')
    expect(await repairSnapshot(test.deps)).toBe('intact')
    expect(await test.deps.redis.hget(keys.snapshot('options'), 'RetryTimes')).toBe('"3"')
  })

  it('does not wait longer than its limit for a Redis that does not answer', async () => {
    const version = await setOption('RetryTimes', '4')
    const silent = new Proxy(test.deps.redis, { get: () => () => new Promise(() => undefined) })

    expect(await publishAfter({ ...test.deps, redis: silent }, { version, options: ['RetryTimes'] }, 50)).toBe('delayed')
    expect(await repairSnapshot(test.deps)).toBe('repaired')
  })

  it('continues above the version in Redis after Postgres was restored to an older state', async () => {
    await test.deps.redis.hset(keys.snapshotHead(), 'version', 1_000_000)

    expect(await repairSnapshot(test.deps)).toBe('repaired')

    expect(await findSnapshotHead(test.deps.redis)).toMatchObject({ version: 1_000_001 })
    expect(await repairSnapshot(test.deps)).toBe('intact')
  })

  it('loses none of many concurrent changes', async () => {
    root = await test.signIn(ROOT.username, ROOT.password) // an emptied Redis has no sessions
    const made = await Promise.all(Array.from({ length: 12 }, (_unused, index) => aChannel(`many-${index}`)))
    expect(made.every(({ body }) => body.success)).toBe(true)
    const reader = await aReader()
    reader.stop()

    const names = [...reader.current().channels.values()].map(({ name }) => name)

    expect(names.filter((name) => name.startsWith('many-'))).toHaveLength(12)
    expect(reader.current().version).toBe(await getSnapshotVersion(test.deps.db))
  })
})
