import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSealer, keyIdOf, sealedBy } from '@tollgate/config/sealing'
import { parseChannelInfo } from '@tollgate/contracts/channels/channel-info'
import { rebuildAbilities } from '@tollgate/db/queries/channels/abilities'
import { getSnapshotVersion } from '@tollgate/db/queries/installation/snapshot'
import { createOutbound, type Outbound } from '@tollgate/outbound/outbound'
import { appendIncident, type ChannelIncident } from '@tollgate/redis/stores/incident-stream'
import { keys } from '@tollgate/redis/keys'
import { replaceSnapshot } from '@tollgate/redis/snapshot/snapshot-store'
import { aChannel as aSnapshotChannel } from '@tollgate/testing/a-channel'
import { startVendorServer, type VendorServer } from '@tollgate/testing/vendor-server'
import { retestChannels } from '../handlers/retest-channels.ts'
import { testKeys } from '../../test/worker-process.ts'
import { createTestbed, type Testbed } from '../../test/test-worker.ts'
import { applyIncidents } from './incidents.ts'

let testbed: Testbed
let vendor: VendorServer
let outbound: Outbound
const sealer = createSealer(testKeys)
beforeAll(async () => {
  testbed = await createTestbed()
  vendor = await startVendorServer()
  outbound = createOutbound()
})
afterAll(async () => {
  await outbound.close()
  await vendor.stop()
  await testbed.close()
})
beforeEach(async () => {
  await testbed.db.deleteFrom('channels').execute()
  await testbed.db.deleteFrom('options').execute()
  await testbed.redis.del(keys.incidents())
  await setOption('AutomaticDisableChannelEnabled', 'true')
})

const log = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined }
const deps = () => ({ db: testbed.db, redis: testbed.redis, channelKeys: sealer, outbound, log, now: () => Date.now() })
const setOption = (key: string, value: string) =>
  testbed.db.insertInto('options').values({ key, value, is_sealed: false, updated_at: 1, updated_by: null }).execute()

type Made = {
  readonly key?: string
  readonly setting?: string
  readonly status?: number
  readonly auto_ban?: number
  readonly scenario?: string
  readonly type?: number
  readonly models?: string
}
let lastId = 0
async function aChannel({
  key = 'sk-1',
  setting = '',
  status = 1,
  auto_ban = 1,
  scenario = 'keyed',
  type = 1,
  models = 'gpt-x',
}: Made = {}): Promise<number> {
  lastId += 1
  const id = lastId
  const key_sealed = sealer.seal(key, sealedBy.channelKey(id))
  const base_url = `${vendor.url}/${scenario}`
  await testbed.db
    .insertInto('channels')
    .values({
      id,
      type,
      name: `c${id}`,
      status,
      auto_ban,
      key_sealed,
      key_hash: '',
      base_url,
      models,
      setting,
      created_time: 1,
    })
    .execute()
  return id
}
const incidentOf = (channel_id: number, over: Partial<ChannelIncident> = {}): ChannelIncident => ({
  channel_id,
  channel_name: 'c',
  at: 1_700_000_000_500,
  reason: 'Incorrect API key provided',
  status: 401,
  code: 'invalid_api_key',
  key_id: '',
  ...over,
})
async function apply(...incidents: readonly ChannelIncident[]): Promise<number> {
  for (const incident of incidents) await appendIncident(testbed.redis, incident)
  return await applyIncidents(deps(), 'test')
}
const rowOf = (id: number) =>
  testbed.db.selectFrom('channels').select(['status', 'other_info', 'test_time']).where('id', '=', id).executeTakeFirstOrThrow()
const enabledAbilities = (id: number) =>
  testbed.db.selectFrom('abilities').select('model').where('channel_id', '=', id).where('enabled', '=', true).execute()

describe('a proposed incident of the status page', () => {
  const proposals = () => testbed.db.selectFrom('status_incidents').selectAll().orderBy('id').execute()
  beforeEach(async () => {
    await testbed.db.deleteFrom('status_incidents').execute()
    await setOption('StatusPageEnabled', 'true')
  })

  it('is opened once when models lose their last channel, and is not public', async () => {
    const id = await aChannel({ models: 'gpt-4o,claude-opus-5' })
    await apply(incidentOf(id))

    expect(await proposals()).toMatchObject([
      { title: '', state: 'investigating', is_public: false, channel_id: id, groups: ['claude', 'gpt'], resolved_at: 0 },
    ])
    expect((await proposals())[0]?.cause).toContain(`#${id} c${id}`)
    await testbed.db.updateTable('channels').set({ status: 1, other_info: '' }).where('id', '=', id).execute()
    await apply(incidentOf(id))
    expect(await proposals()).toHaveLength(1)
  })

  it('is not opened while another channel serves the models', async () => {
    const other = await aChannel({ key: 'sk-2', models: 'gpt-4o' })
    const served = [{ id: other, status: 1, models: 'gpt-4o', group: 'default' }]
    await testbed.db.transaction().execute((tx) => rebuildAbilities(tx, served))
    await apply(incidentOf(await aChannel({ models: 'gpt-4o' })))

    expect(await proposals()).toEqual([])
  })
})

describe('an incident', () => {
  it('disables the channel, stores the evidence, and raises the version that relays follow', async () => {
    const id = await aChannel()
    const before = await getSnapshotVersion(testbed.db)

    expect(await apply(incidentOf(id))).toBe(1)

    const { status, other_info } = await rowOf(id)
    expect(status).toBe(3)
    expect(JSON.parse(other_info)).toEqual({
      status_reason: '401 invalid_api_key: Incorrect API key provided',
      status_time: 1_700_000_000,
      status: 401,
      code: 'invalid_api_key',
      text: 'Incorrect API key provided',
    })
    expect(await enabledAbilities(id)).toEqual([])
    expect(await getSnapshotVersion(testbed.db)).toBe(before + 1)
    const entries = await testbed.db.selectFrom('audit_entries').selectAll().where('resource_id', '=', String(id)).execute()
    expect(entries).toMatchObject([
      { actor_id: 0, action: 'update', resource: 'channel', changes: [{ field: 'status', before: '1', after: '3' }] },
    ])
  })

  it('is applied once, and a second one changes nothing', async () => {
    const id = await aChannel()
    await apply(incidentOf(id))
    const { other_info } = await rowOf(id)

    expect(await applyIncidents(deps(), 'test')).toBe(0)
    expect(await apply(incidentOf(id, { reason: 'later' }))).toBe(0)

    expect((await rowOf(id)).other_info).toBe(other_info)
  })

  it.each([
    ['the channel does not want it', { auto_ban: 0 }, 1],
    ['it was disabled by hand', { status: 2 }, 2],
  ])('changes nothing when %s', async (_, made, status) => {
    const id = await aChannel(made)

    expect(await apply(incidentOf(id))).toBe(0)

    expect((await rowOf(id)).status).toBe(status)
  })

  it('changes nothing when the option is off or the channel does not exist', async () => {
    const id = await aChannel()
    expect(await apply(incidentOf(999))).toBe(0)
    await testbed.db.deleteFrom('options').execute()

    expect(await apply(incidentOf(id))).toBe(0)

    expect((await rowOf(id)).status).toBe(1)
  })

  it('of an unknown format is ignored, and the others are applied', async () => {
    const id = await aChannel()
    await testbed.redis.xadd(keys.incidents(), '*', 'incident', '{"channel_id":')

    expect(await apply(incidentOf(id))).toBe(1)
  })

  it('disables one key, and the channel with the last one', async () => {
    const id = await aChannel({ key: 'revoked-1\nsk-2', setting: '{"multi_key_mode":"random"}' })

    await apply(incidentOf(id, { key_id: keyIdOf('revoked-1') }), incidentOf(id, { key_id: 'of an older key' }))

    const one = await rowOf(id)
    expect(one.status).toBe(1)
    expect(Object.keys(parseChannelInfo(one.other_info).keys ?? {})).toEqual([keyIdOf('revoked-1')])
    expect(one.other_info).not.toContain('revoked-1')

    await apply(incidentOf(id, { key_id: keyIdOf('sk-2') }))
    expect((await rowOf(id)).status).toBe(3)
  })
})

describe('retest-channels', () => {
  const retest = () => retestChannels(deps())({}, { signal: new AbortController().signal, attempt: 1 })
  const publish = async () => {
    const rows = await testbed.db.selectFrom('channels').selectAll().execute()
    const channels = rows.map(({ id, type, name, status, key_sealed, base_url }) =>
      aSnapshotChannel({ id, type, name, status, key_sealed, base_url, models: ['gpt-x'], groups: ['default'] }),
    )
    await replaceSnapshot(testbed.redis, { channels, prices: [], groups: [], options: {} }, Date.now())
  }
  const enable = () => setOption('AutomaticEnableChannelEnabled', 'true')

  it('enables channels that answer, keeps the others disabled, and tests each once per interval', async () => {
    const [well, ill] = [await aChannel(), await aChannel({ key: 'revoked-1' })]
    await apply(incidentOf(well), incidentOf(ill))
    await publish()
    await enable()

    expect(await retest()).toEqual({ tested: 2, enabled: 1 })

    expect(await rowOf(well)).toMatchObject({ status: 1, other_info: '' })
    expect(await enabledAbilities(well)).toHaveLength(1)
    expect((await rowOf(ill)).status).toBe(3)
    expect(await retest()).toEqual({ tested: 0, enabled: 0 })
  })

  it('enables the keys that answer', async () => {
    const id = await aChannel({ key: 'sk-1\nrevoked-2\nsk-3', setting: '{"multi_key_mode":"polling"}' })
    await apply(incidentOf(id, { key_id: keyIdOf('sk-1') }), incidentOf(id, { key_id: keyIdOf('revoked-2') }))
    await publish()
    await enable()

    expect(await retest()).toEqual({ tested: 1, enabled: 1 })

    expect(Object.keys(parseChannelInfo((await rowOf(id)).other_info).keys ?? {})).toEqual([keyIdOf('revoked-2')])
  })

  it('waits for the interval after the evidence, and does nothing when the option is off', async () => {
    const id = await aChannel()
    await apply(incidentOf(id, { at: Date.now() }))
    await publish()
    expect(await retest()).toEqual({ tested: 0, enabled: 0 })
    await enable()

    expect(await retest()).toEqual({ tested: 0, enabled: 0 })
  })

  describe('a channel that no call can test', () => {
    const HOUR_S = 3600
    let now = 1_800_000_000
    const retestLater = () => retestChannels({ ...deps(), now: () => now * 1000 })({}, { signal: new AbortController().signal, attempt: 1 })
    const disable = (id: number) => apply(incidentOf(id, { at: now * 1000 }))

    it.each([
      ['Midjourney', { type: 2, models: 'mj_imagine' }],
      ['Suno', { type: 36, models: 'suno_music' }],
      ['a vendor without a list of models', { models: 'dall-e-3', scenario: 'absent' }],
    ])('returns on probation, and after each failure of real requests later: %s', async (_name, made) => {
      const id = await aChannel(made)
      await enable()
      const waits: number[] = []
      for (let round = 0; round < 3; round += 1) {
        await disable(id)
        const disabled_at = now
        while ((await rowOf(id)).status !== 1) {
          now += 100
          await retestLater()
        }
        waits.push(now - disabled_at)
      }

      expect(waits).toEqual([300, 600, 1200])
      now += 25 * HOUR_S
      await disable(id)
      now += 300
      expect(await retestLater()).toEqual({ tested: 1, enabled: 1 })
    })
  })

  it('enables a channel of images when its vendor lists models again', async () => {
    const id = await aChannel({ models: 'dall-e-3', key: 'sk-list' })
    await apply(incidentOf(id))
    await enable()

    await retest()

    expect(await rowOf(id)).toMatchObject({ status: 1, other_info: '' })
  })

  it('takes the interval from its option', async () => {
    const id = await aChannel()
    await apply(incidentOf(id, { at: Date.now() - 100_000 }))
    await publish()
    await enable()
    expect(await retest()).toEqual({ tested: 0, enabled: 0 })

    await setOption('AutomaticEnableInterval', '60')

    expect(await retest()).toEqual({ tested: 1, enabled: 1 })
  })
})
