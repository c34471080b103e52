import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { SNAPSHOT_FORMAT, type ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import { aChannel as aSnapshotChannel } from '@tollgate/testing/a-channel'
import { startTestRedis, type TestRedis } from '@tollgate/testing/redis'
import { connectRedis, type Redis } from '../connect.ts'
import { keys } from '../keys.ts'
import { findPublishedChannel } from './snapshot-field.ts'
import {
  createSnapshotReader,
  findSnapshotHead,
  publishSnapshot,
  replaceSnapshot,
  type SnapshotReader,
  type WholeSnapshot,
} from './snapshot-store.ts'

let server: TestRedis
let redis: Redis
beforeAll(async () => {
  server = await startTestRedis()
  redis = connectRedis(server.url, 'plain')
})
afterAll(async () => {
  redis.disconnect()
  await server.stop()
})
beforeEach(() => redis.flushall())

const aChannel = (id: number, over: Partial<ChannelSnapshot> = {}): ChannelSnapshot =>
  aSnapshotChannel({ id, name: `channel ${id}`, key_sealed: 'v1.x', models: ['gpt-x'], groups: ['default'], ...over })
const aWhole = (over: Partial<WholeSnapshot> = {}): WholeSnapshot => ({
  channels: [aChannel(1), aChannel(2)],
  prices: [{ model: 'gpt-x', ratio: 2 }],
  groups: [{ name: 'default', ratio: 1, usable_label: null }],
  options: { RetryTimes: '3' },
  ...over,
})

describe('the snapshot', () => {
  it('is read completely at start', async () => {
    await replaceSnapshot(redis, aWhole(), 7)
    const reader = createSnapshotReader(redis)
    await reader.start()
    reader.stop()

    const { version, channels, prices, groups, options } = reader.current()
    expect(version).toBe(7)
    expect([...channels.keys()]).toEqual([1, 2])
    expect(channels.get(2)).toEqual(aChannel(2))
    expect(prices.get('gpt-x')).toEqual({ model: 'gpt-x', ratio: 2 })
    expect(groups.get('default')).toEqual({ name: 'default', ratio: 1, usable_label: null })
    expect(options.get('RetryTimes')).toBe('3')
    expect(await findPublishedChannel(redis, 2)).toEqual(aChannel(2))
    expect(await findPublishedChannel(redis, 9)).toBeUndefined()
  })

  it('gives a reader only the changed and removed fields of the next versions', async () => {
    await replaceSnapshot(redis, aWhole(), 7)
    const reader = createSnapshotReader(redis)
    await reader.poll()
    const updates: unknown[] = []
    const forget = reader.onChange((update) => updates.push(update))

    expect(await publishSnapshot(redis, [{ kind: 'channels', field: '2', value: aChannel(2, { weight: 9 }) }], 8)).toBe('published')
    expect(
      await publishSnapshot(
        redis,
        [
          { kind: 'channels', field: '1', value: undefined },
          { kind: 'options', field: 'RetryTimes', value: '5' },
        ],
        9,
      ),
    ).toBe('published')
    await reader.poll()
    forget()
    await publishSnapshot(redis, [], 10)
    await reader.poll()

    expect(reader.current().channels.get(2)?.weight).toBe(9)
    expect(reader.current().channels.has(1)).toBe(false)
    expect(reader.current().options.get('RetryTimes')).toBe('5')
    expect(updates).toEqual([
      { version: 9, isWhole: false, fields: { channels: ['2', '1'], prices: [], groups: [], options: ['RetryTimes'] } },
    ])
  })

  it('accepts versions in order only: an older one and one after a gap are refused', async () => {
    await replaceSnapshot(redis, aWhole(), 7)

    expect(await publishSnapshot(redis, [{ kind: 'groups', field: 'default', value: undefined }], 7)).toBe('older')
    expect(await publishSnapshot(redis, [{ kind: 'groups', field: 'default', value: undefined }], 9)).toBe('gap')
    expect(await replaceSnapshot(redis, aWhole({ groups: [] }), 6)).toBe('older')
    expect(await redis.hlen(keys.snapshot('groups'))).toBe(1)
    expect(await findSnapshotHead(redis)).toEqual({ format: SNAPSHOT_FORMAT, version: 7, floor: 0 })
  })

  it('answers gap when Redis has no snapshot', async () => {
    expect(await publishSnapshot(redis, [], 1)).toBe('gap')
    expect(await findSnapshotHead(redis)).toBeUndefined()
  })

  it('refuses invalid values before anything is written', async () => {
    const broken = { ...aChannel(1), models: 'gpt-x' }
    // The check is for callers whose types are wrong.
    await expect(replaceSnapshot(redis, aWhole({ channels: [broken as unknown as ChannelSnapshot] }), 1)).rejects.toThrow('models')
    expect(await redis.keys('*')).toEqual([])
  })

  it('gives a reader the changes of a whole replacement', async () => {
    await replaceSnapshot(redis, aWhole(), 7)
    const reader = createSnapshotReader(redis)
    await reader.poll()

    await replaceSnapshot(redis, aWhole({ channels: [aChannel(2), aChannel(3)] }), 12)
    await reader.poll()

    expect([...reader.current().channels.keys()]).toEqual([2, 3])
  })

  it('follows a store that was emptied and filled again, even with a smaller version', async () => {
    await replaceSnapshot(redis, aWhole(), 7)
    const reader = createSnapshotReader(redis)
    await reader.poll()
    await redis.flushall()
    await reader.poll()
    expect(reader.current().channels.size).toBe(2)

    await replaceSnapshot(redis, aWhole({ channels: [aChannel(5)] }), 3)
    await reader.poll()

    expect([...reader.current().channels.keys()]).toEqual([5])
    expect(reader.current().version).toBe(3)
  })

  it('reads the whole snapshot again when the reader is behind the stored changes', async () => {
    await replaceSnapshot(redis, aWhole(), 7)
    const reader = createSnapshotReader(redis)
    await reader.poll()
    await publishSnapshot(redis, [{ kind: 'channels', field: '1', value: undefined }], 8)
    await redis.del(keys.snapshotChanges('channels'))
    await redis.hset(keys.snapshotHead(), 'floor', 8)

    await reader.poll()

    expect([...reader.current().channels.keys()]).toEqual([2])
  })

  it('stays unchanged when the published format is newer than known', async () => {
    await replaceSnapshot(redis, aWhole(), 7)
    const reader = createSnapshotReader(redis)
    await reader.poll()
    await redis.hset(keys.snapshotHead(), 'format', SNAPSHOT_FORMAT + 1, 'version', 8)

    await reader.poll()

    expect(reader.current().version).toBe(7)
  })

  it('is not ready, and start rejects, when nothing was published', async () => {
    const reader = createSnapshotReader(redis, { pollMs: 20 })

    await expect(reader.start(100)).rejects.toThrow('no configuration snapshot')
    reader.stop()
    expect(reader.isReady()).toBe(false)
  })

  describe('of a following reader', () => {
    const aFollower = async () => {
      await replaceSnapshot(redis, aWhole(), 7)
      // Polls too rarely to be noticed.
      const reader = createSnapshotReader(redis, { pollMs: 60_000, announcedPollMs: 60_000 })
      await reader.start()
      return reader
    }
    const untilFollowed = (count: number) =>
      vi.waitFor(async () => expect(await redis.pubsub('NUMSUB', keys.snapshotVersions())).toEqual([keys.snapshotVersions(), count]))
    const publishWeight = (version: number, weight: number) =>
      publishSnapshot(redis, [{ kind: 'channels', field: '2', value: aChannel(2, { weight }) }], version)
    const untilWeight = (reader: SnapshotReader, weight: number) =>
      vi.waitFor(() => expect(reader.current().channels.get(2)?.weight).toBe(weight), { interval: 5 })

    const idOf = (clients: unknown): string => /id=(\d+)/.exec(String(clients))?.[1] ?? ''

    it('has each published version at once', async () => {
      const reader = await aFollower()
      await untilFollowed(1)

      for (let change = 1; change <= 20; change += 1) {
        await publishWeight(7 + change, change)
        await untilWeight(reader, change)
      }
      await replaceSnapshot(redis, aWhole({ channels: [aChannel(2, { weight: 99 })] }), 40)
      await untilWeight(reader, 99)
      reader.stop()
      await untilFollowed(0)
    })

    it('has the last of many versions that are published while it reads', async () => {
      const reader = await aFollower()
      await untilFollowed(1)

      await Promise.all(Array.from({ length: 50 }, (_, nth) => publishWeight(8 + nth, nth + 1)))

      await untilWeight(reader, 50)
      reader.stop()
    })

    it('subscribes again after its connection was closed, and has what was published meanwhile', async () => {
      const reader = await aFollower()
      await untilFollowed(1)

      await redis.client('KILL', 'TYPE', 'PUBSUB')
      await publishWeight(8, 5)
      await untilWeight(reader, 5)
      await untilFollowed(1)
      await publishWeight(9, 6)
      await untilWeight(reader, 6)
      reader.stop()
    })

    it('polls, and subscribes again, when an announcement did not arrive', async () => {
      await replaceSnapshot(redis, aWhole(), 7)
      const reader = createSnapshotReader(redis, { pollMs: 20, announcedPollMs: 20 })
      await reader.start()
      await untilFollowed(1)
      const before = await redis.client('LIST', 'TYPE', 'PUBSUB')

      await redis
        .multi()
        .hset(keys.snapshot('options'), 'RetryTimes', '"9"')
        .zadd(keys.snapshotChanges('options'), 8, 'RetryTimes')
        .hset(keys.snapshotHead(), 'version', 8)
        .exec()

      await vi.waitFor(() => expect(reader.current().options.get('RetryTimes')).toBe('9'))
      await vi.waitFor(async () => expect(idOf(await redis.client('LIST', 'TYPE', 'PUBSUB'))).not.toBe(idOf(before)))
      await untilFollowed(1)
      reader.stop()
    })

    it('polls often while it cannot subscribe', async () => {
      await replaceSnapshot(redis, aWhole(), 7)
      await redis.call('ACL', 'SETUSER', 'default', 'resetchannels')
      try {
        const reader = createSnapshotReader(redis, { announcedPollMs: 60_000 })
        await reader.start()
        await publishWeight(8, 5)
        await untilWeight(reader, 5)
        reader.stop()
      } finally {
        await redis.call('ACL', 'SETUSER', 'default', 'allchannels')
      }
    })
  })
})
