import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSealer, keyIdOf, sealedBy } from '@tollgate/config/sealing'
import { toKeyStateColumns, type KeyStates } from '@tollgate/contracts/channels/channel-keys'
import type { ChannelRun, RunKind } from '@tollgate/contracts/channels/channel-runs'
import { listChannelBalances, listKeyBalances } from '@tollgate/db/queries/channels/channel-balances'
import { updateChannels } from '@tollgate/db/queries/channels/channels'
import { findModelCheck } from '@tollgate/db/queries/channels/model-checks'
import { createOutbound, type Outbound } from '@tollgate/outbound/outbound'
import { replaceSnapshot } from '@tollgate/redis/snapshot/snapshot-store'
import { cancelChannelRun, finishChannelRun, readChannelRun, startChannelRun } from '@tollgate/redis/stores/channel-run'
import { startVendorServer, type VendorServer } from '@tollgate/testing/vendor-server'
import type { Deps } from '../deps.ts'
import { noticeExpiringKeys } from '../channels/expiring-keys.ts'
import { testKeys } from '../../test/worker-process.ts'
import { createTestbed, type Testbed } from '../../test/test-worker.ts'
import { runChannels } from './run-channels.ts'
import { scheduleChannelRuns } from './schedule-channel-runs.ts'
import { updateBalance } from './update-balance.ts'

let testbed: Testbed
let vendor: VendorServer
let outbound: Outbound
let balances: Server
const sealer = createSealer(testKeys)
const HANGING = 4
/** Answers of the vendor of balances by key; 12.50 to others. */
const VENDOR_KEYS: Record<string, { readonly balance?: string; readonly status?: number }> = {
  'Bearer sk-rich': { balance: '30.10' },
  'Bearer sk-poor': { balance: '0.20' },
  'Bearer sk-refused': { status: 401 },
  'Bearer sk-failing': { status: 500 },
}

beforeAll(async () => {
  testbed = await createTestbed()
  vendor = await startVendorServer()
  outbound = createOutbound()
  balances = createServer((incoming, outgoing) => {
    if (incoming.url === '/listed/v1/models')
      return void outgoing.writeHead(200).end(JSON.stringify({ data: [{ id: 'gpt-new' }, { id: 'gpt-kept' }, { id: 'gpt-kept' }] }))
    if (incoming.url?.endsWith('/v1/models')) return void outgoing.writeHead(404).end('{}')
    const known = VENDOR_KEYS[incoming.headers.authorization ?? '']
    if (known?.status !== undefined) return void outgoing.writeHead(known.status).end('{}')
    const isEmpty = incoming.url?.startsWith('/empty') === true
    const answer = { balance_infos: [{ currency: 'CNY', total_balance: isEmpty ? '0.00' : (known?.balance ?? '12.50') }] }
    outgoing.writeHead(200).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => balances.listen(0, '127.0.0.1', resolve))
  await testbed.addUser(1)
})
afterAll(async () => {
  await outbound.close()
  await vendor.stop()
  await new Promise((resolve) => balances.close(resolve))
  await testbed.close()
})

/** Channels by id: healthy, refused, slow to disable by hand, and more as the test needs them. */
async function setChannels(channels: readonly { id: number; type: number; base_url: string; status: number }[]): Promise<void> {
  await testbed.db.deleteFrom('channels').execute()
  for (const { id, type, base_url, status } of channels) {
    const key_sealed = sealer.seal('sk-vendor', sealedBy.channelKey(id))
    await testbed.db
      .insertInto('channels')
      .values({ id, type, name: `c${id}`, status, key_sealed, key_hash: '', base_url, models: 'gpt-x', created_time: 1 })
      .execute()
  }
  const shared = { models: ['gpt-x'], groups: ['default'], model_mapping: {}, status_code_mapping: {}, param_override: {}, setting: {} }
  await replaceSnapshot(
    testbed.redis,
    {
      channels: channels.map(({ id, type, base_url, status }) => ({
        ...shared,
        id,
        type,
        base_url,
        status,
        name: `c${id}`,
        key_sealed: sealer.seal('sk-vendor', sealedBy.channelKey(id)),
        openai_organization: '',
        other: '',
        priority: 0,
        weight: 0,
        auto_ban: true,
        tag: '',
      })),
      prices: [],
      groups: [],
      options: {},
    },
    Date.now(),
  )
}

const setOption = (key: string, value: string): Promise<unknown> =>
  testbed.db.insertInto('options').values({ key, value, updated_at: 1 }).execute()
const statusOf = async (id: number): Promise<{ status: number; other_info: string }> =>
  testbed.db.selectFrom('channels').select(['status', 'other_info']).where('id', '=', id).executeTakeFirstOrThrow()
const log = { warn: () => undefined }

/** Only the dependencies that the handlers use. */
const deps = (): Deps =>
  ({ db: testbed.db, redis: testbed.redis, channelKeys: sealer, outbound, log, now: () => Date.now() }) as unknown as Deps

async function run(kind: RunKind, ids?: readonly number[]): Promise<ChannelRun> {
  const run_id = `run-${Math.random()}`
  await startChannelRun(testbed.redis, { id: run_id, kind, capability: 'auto', total: 0, now: 1 })
  const payload = { kind, run_id, capability: 'auto', ...(ids === undefined ? {} : { ids: [...ids] }) } as const
  await runChannels(deps())(payload, { signal: new AbortController().signal, attempt: 1 })
  const state = await readChannelRun(testbed.redis, kind)
  if (state === undefined) throw new Error('no run')
  return state
}

describe('a run over channels', () => {
  beforeEach(async () => {
    await testbed.redis.flushall()
    await testbed.db.deleteFrom('options').execute()
    await setChannels([
      { id: 1, type: 1, base_url: `${vendor.url}/ok`, status: 1 },
      { id: 2, type: 1, base_url: `${vendor.url}/status~401`, status: 1 },
      { id: 3, type: 1, base_url: `${vendor.url}/ok`, status: 3 },
    ])
  })

  it('leaves out what a person disabled, also where what passes is enabled', async () => {
    await setOption('AutomaticEnableChannelEnabled', 'true')
    await testbed.db.updateTable('channels').set({ status: 2 }).where('id', '=', 1).execute()
    const before = vendor.callsOf('ok').length

    const { results } = await run('test')
    expect(results.find(({ channel_id }) => channel_id === 1)).toMatchObject({ ok: false, skipped: 'disabled' })
    expect(results.find(({ channel_id }) => channel_id === 3)).toMatchObject({ ok: true, change: 'enabled' })
    expect(vendor.callsOf('ok').length - before).toBe(1)
    expect((await statusOf(1)).status).toBe(2)
  })

  it('tests all channels that are in service, says which it leaves out, and changes no status while the options are off', async () => {
    const { total, done, finished_at, results } = await run('test')

    expect({ total, done, isFinished: finished_at > 0 }).toEqual({ total: 3, done: 3, isFinished: true })
    const found = results.map(({ channel_id, ok, status, skipped }) => [channel_id, ok, status, skipped])
    expect(found.toSorted(([a], [b]) => Number(a) - Number(b))).toEqual([
      [1, true, 200, undefined],
      [2, false, 401, undefined],
      [3, false, 0, 'auto-disabled'],
    ])
    expect(await Promise.all([1, 2, 3].map(async (id) => (await statusOf(id)).status))).toEqual([1, 1, 3])
  })

  it('disables with evidence and enables what passes, as the options say', async () => {
    await setOption('AutomaticDisableChannelEnabled', 'true')
    await setOption('AutomaticEnableChannelEnabled', 'true')

    const { results } = await run('test')

    expect(results.find(({ channel_id }) => channel_id === 2)?.change).toBe('disabled')
    const refused = await statusOf(2)
    expect(refused.status).toBe(3)
    expect(JSON.parse(refused.other_info)).toMatchObject({ status: 401, status_reason: expect.stringContaining('401') })
    expect(results.find(({ channel_id }) => channel_id === 3)?.change).toBe('enabled')
    expect((await statusOf(3)).status).toBe(1)
  })

  it.each([
    ['AutomaticDisableStatusCodes', '418', 'status~418'],
    ['AutomaticDisableKeywords', 'SCRIPTED status', 'status~500'],
    ['ChannelDisableThreshold', '0.05', 'slow-first-byte~150'],
  ])('disables by option %s', async (option, value, scenario) => {
    await setOption('AutomaticDisableChannelEnabled', 'true')
    await setChannels([{ id: 7, type: 1, base_url: `${vendor.url}/${scenario}`, status: 1 }])
    await run('test')
    expect((await statusOf(7)).status).toBe(1)

    await setOption(option, value)
    const { results } = await run('test')

    expect(results[0]?.change).toBe('disabled')
    expect((await statusOf(7)).status).toBe(3)
  })

  it('compares models with the vendor’s, keeps the result, and forgets it when the models are edited', async () => {
    const at = `http://127.0.0.1:${(balances.address() as AddressInfo).port}`
    await setChannels([
      { id: 21, type: 1, base_url: `${at}/listed`, status: 1 },
      { id: 22, type: 1, base_url: `${at}/none`, status: 1 },
      { id: 23, type: 1, base_url: `${at}/listed`, status: 2 },
    ])
    const before = { models: 'gpt-old,gpt-kept,gpt-kept-high,alias', model_mapping: '{"alias":"gpt-kept"}' }
    await testbed.db.updateTable('channels').set(before).where('id', '=', 21).execute()

    const { results } = await run('models')

    const found = { fresh: ['gpt-new'], gone: ['gpt-old'] }
    expect(results.toSorted((a, b) => a.channel_id - b.channel_id)).toEqual([
      { channel_id: 21, name: 'c21', ok: true, status: 200, message: '', ...found },
      {
        channel_id: 22,
        name: 'c22',
        ok: false,
        status: 404,
        message: 'status code: 404',
        fault: { code: 'channels.fetch-status', params: { status: 404 } },
      },
    ])
    expect(await findModelCheck(testbed.db, 21)).toEqual({ at: expect.any(Number), error: '', ...found })
    expect(await findModelCheck(testbed.db, 22)).toMatchObject({ error: 'status code: 404', fresh: [], gone: [] })
    const update = (patch: object) => testbed.db.transaction().execute((tx) => updateChannels(tx, { ids: [21], patch }))
    await update({ weight: 3, models: before.models })
    expect(await findModelCheck(testbed.db, 21)).toMatchObject(found)
    await update({ models: 'gpt-kept' })
    expect(await findModelCheck(testbed.db, 21)).toBeUndefined()
  })

  it.each([
    ['ChannelTestInterval', 'test'],
    ['ChannelBalanceInterval', 'balance'],
    ['ChannelModelsInterval', 'models'],
  ] as const)('is started on schedule by option %s', async (option, kind) => {
    let time = 1_000_000_000
    // Only the dependencies that the handler uses.
    const env = { REDIS_URL: testbed.server.url, CHANNEL_TEST_FREQUENCY: 0, CHANNEL_UPDATE_FREQUENCY: 0 }
    const deps = { db: testbed.db, redis: testbed.redis, env, now: () => time * 1000 } as unknown as Deps
    const schedule = () => scheduleChannelRuns(deps)({}, { signal: new AbortController().signal, attempt: 1 })
    expect(await schedule()).toEqual({ started: 0 })

    await setOption(option, '10')
    expect(await schedule()).toEqual({ started: 1 })
    const first = await readChannelRun(testbed.redis, kind)
    expect(first?.started_at).toBe(time)
    await finishChannelRun(testbed.redis, { id: first?.id ?? '', kind }, time)
    time += 599
    expect(await schedule()).toEqual({ started: 0 })
    time += 1
    expect(await schedule()).toEqual({ started: 1 })
  })

  it.each([
    ['CHANNEL_TEST_FREQUENCY', 'test'],
    ['CHANNEL_UPDATE_FREQUENCY', 'balance'],
  ] as const)('is started on schedule by variable %s while its option is 0', async (variable, kind) => {
    const time = 1_100_000_000
    const env = { REDIS_URL: testbed.server.url, CHANNEL_TEST_FREQUENCY: 0, CHANNEL_UPDATE_FREQUENCY: 0, [variable]: 10 }
    const deps = { db: testbed.db, redis: testbed.redis, env, now: () => time * 1000 } as unknown as Deps

    expect(await scheduleChannelRuns(deps)({}, { signal: new AbortController().signal, attempt: 1 })).toEqual({ started: 1 })
    expect((await readChannelRun(testbed.redis, kind))?.started_at).toBe(time)
  })

  it('notifies root once of keys that expire within seven days and have no replacement', async () => {
    const now = 1_800_000_000
    const keysOf = ['sk-soon-0123456789AAAA', 'sk-late-0123456789BBBB', 'sk-over-0123456789CCCC']
    const [soon = '', late = '', replaced = ''] = keysOf.map(keyIdOf)
    const states = {
      [soon]: { expires_at: now + 6 * 86_400 },
      [late]: { expires_at: now + 8 * 86_400 },
      [replaced]: { expires_at: now + 3600, replaced_by: soon },
    }
    const key_sealed = sealer.seal(keysOf.join('\n'), sealedBy.channelKey(1))
    const patch = { key_sealed, setting: '{"multi_key_mode":"random"}', ...toKeyStateColumns(states) }
    await testbed.db.updateTable('channels').set(patch).where('id', '=', 1).execute()
    await testbed.db.updateTable('users').set({ role: 100, email: 'root@example.com' }).where('id', '=', 1).execute()
    const deps = { db: testbed.db, channelKeys: sealer, now: () => now * 1000 }

    expect(await noticeExpiringKeys(deps)).toBe(1)
    expect(await noticeExpiringKeys(deps)).toBe(0)

    const sent = await testbed.db.selectFrom('deliveries').select(['template', 'details']).execute()
    expect(sent).toEqual([
      {
        template: 'channel-key-expires',
        details: { id: '1', name: 'c1', keys: 'AAAA', time: new Date((now + 6 * 86_400) * 1000).toISOString() },
      },
    ])
  })

  it('leaves the status alone when an operator tests some', async () => {
    await setOption('AutomaticDisableChannelEnabled', 'true')

    const { results } = await run('test', [2])

    expect(results.map(({ channel_id, change }) => [channel_id, change])).toEqual([[2, undefined]])
    expect((await statusOf(2)).status).toBe(1)
  })

  it('can be cancelled: calls under way end, and leave no result', async () => {
    await setChannels([{ id: HANGING, type: 1, base_url: `${vendor.url}/silent`, status: 1 }])
    const running = run('test')
    await expect.poll(() => vendor.callsOf('silent').length).toBeGreaterThan(0)

    expect(await cancelChannelRun(testbed.redis, 'test')).toBe(true)

    expect(await running).toMatchObject({ done: 0, is_cancelled: true, results: [] })
    expect((await readChannelRun(testbed.redis, 'test'))?.finished_at).toBeGreaterThan(0)
  })

  it('refuses a second run of its kind while one is under way', async () => {
    const first = { id: 'a', kind: 'test', capability: 'auto', total: 1, now: 1 } as const
    expect(await startChannelRun(testbed.redis, first)).toBe(true)
    expect(await startChannelRun(testbed.redis, { ...first, id: 'b' })).toBe(false)
    expect(await startChannelRun(testbed.redis, { ...first, id: 'c', kind: 'balance' })).toBe(true)
  })

  it('reads the balances of enabled channels, says which have none, and disables an empty one where the option is on', async () => {
    const url = `http://127.0.0.1:${(balances.address() as AddressInfo).port}`
    await setOption('AutomaticDisableChannelEnabled', 'true')
    await setChannels([
      { id: 1, type: 43, base_url: url, status: 1 },
      { id: 2, type: 43, base_url: `${url}/empty`, status: 1 },
      { id: 3, type: 14, base_url: url, status: 1 },
      { id: 4, type: 43, base_url: url, status: 2 },
    ])

    const { results } = await run('balance')

    expect(results.toSorted((a, b) => a.channel_id - b.channel_id)).toMatchObject([
      { channel_id: 1, ok: true, balance: 12.5 },
      { channel_id: 2, ok: true, balance: 0, change: 'disabled' },
      { channel_id: 3, ok: false, has_no_balance: true, fault: { code: 'balance.unsupported' } },
    ])
    expect(await testbed.db.selectFrom('channels').select('balance').where('id', '=', 1).executeTakeFirstOrThrow()).toEqual({
      balance: 12.5,
    })
    expect(JSON.parse((await statusOf(2)).other_info)).toMatchObject({ status_reason: '余额不足' })
  })

  it('reads the balance of one channel, and says why there is none', async () => {
    const base_url = `http://127.0.0.1:${(balances.address() as AddressInfo).port}`
    await setChannels([
      { id: 1, type: 43, base_url, status: 1 },
      { id: 3, type: 14, base_url, status: 1 },
    ])
    const read = (channel_id: number) => updateBalance(deps())({ channel_id }, { signal: new AbortController().signal, attempt: 1 })

    expect(await read(1)).toEqual({ balance: 12.5, detail: '', status: 200 })
    expect(await read(3)).toMatchObject({ problem: 'unsupported' })
    expect(await read(99)).toMatchObject({ problem: 'missing' })
    const { balance } = await testbed.db.selectFrom('channels').select('balance').where('id', '=', 1).executeTakeFirstOrThrow()
    expect(balance).toBe(12.5)
  })

  it('sums the balances of all keys in service, keeps each, and keeps the old sum when one cannot be read', async () => {
    const base_url = `http://127.0.0.1:${(balances.address() as AddressInfo).port}`
    await setChannels([{ id: 1, type: 43, base_url, status: 1 }])
    const setKeys = (keys: readonly string[], states: KeyStates) =>
      testbed.db
        .updateTable('channels')
        .set({
          key_sealed: sealer.seal(keys.join('\n'), sealedBy.channelKey(1)),
          setting: '{"multi_key_mode":"random"}',
          ...toKeyStateColumns(states),
        })
        .where('id', '=', 1)
        .execute()
    const kept = async () =>
      new Map((await listKeyBalances(testbed.db, 1)).map(({ key_id, balance, detail }) => [key_id, [balance, detail]] as const))
    await setKeys(['sk-rich', 'sk-poor', 'sk-refused', 'sk-off', 'sk-old'], {
      [keyIdOf('sk-off')]: { disabled_at: 1 },
      [keyIdOf('sk-old')]: { expires_at: 1 },
    })

    expect((await run('balance')).results).toMatchObject([{ ok: true, balance: 30.3 }])
    expect(await kept()).toEqual(
      new Map([
        [keyIdOf('sk-rich'), [30.1, '']],
        [keyIdOf('sk-poor'), [0.2, '']],
        [keyIdOf('sk-refused'), [null, 'status code: 401']],
      ]),
    )

    await setKeys(['sk-rich', 'sk-failing'], {})
    expect((await run('balance')).results).toMatchObject([{ ok: false, status: 500 }])
    expect((await kept()).get(keyIdOf('sk-failing'))).toEqual([null, 'status code: 500'])
    expect(await testbed.db.selectFrom('channels').select('balance').where('id', '=', 1).executeTakeFirstOrThrow()).toEqual({
      balance: 30.3,
    })
  })

  it('notifies root when a balance falls below option ChannelLowBalance, and keeps every balance', async () => {
    await testbed.db.deleteFrom('deliveries').execute()
    await testbed.db.updateTable('users').set({ role: 100, email: 'root@example.com' }).where('id', '=', 1).execute()
    const base_url = `http://127.0.0.1:${(balances.address() as AddressInfo).port}`
    await setChannels([{ id: 1, type: 43, base_url, status: 1 }])
    const notices = () => testbed.db.selectFrom('deliveries').select(['template', 'details']).execute()
    await run('balance')
    expect(await notices()).toEqual([])

    await setOption('ChannelLowBalance', '20')
    await testbed.db.updateTable('channels').set({ balance: 25 }).where('id', '=', 1).execute()
    await run('balance')
    await run('balance')

    expect(await notices()).toEqual([
      { template: 'channel-balance-low', details: { id: '1', name: 'c1', balance: '12.50', threshold: '20' } },
    ])
    expect((await listChannelBalances(testbed.db, 1)).map(({ balance }) => balance)).toContain(12.5)
  })
})
