import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  SNAPSHOT_FORMAT,
  SNAPSHOT_KINDS,
  type ChannelSnapshot,
  type GroupSnapshot,
  type PriceSnapshot,
  type SnapshotKind,
} from '@tollgate/contracts/relay/snapshot'
import type { Redis } from 'ioredis'
import { every, type Ticks } from '../every.ts'
import { keys } from '../keys.ts'
import { findSnapshotHead } from './snapshot-publisher.ts'
import { followSnapshotVersions, type SnapshotVersions } from './snapshot-versions.ts'

export { findSnapshotHead, publishSnapshot, replaceSnapshot, type WholeSnapshot } from './snapshot-publisher.ts'

/** The configuration in this process. The maps are patched in place; read them again for each request. */
export type Snapshot = {
  /** −1 until the first read. */
  readonly version: number
  readonly channels: ReadonlyMap<number, ChannelSnapshot>
  readonly prices: ReadonlyMap<string, PriceSnapshot>
  readonly groups: ReadonlyMap<string, GroupSnapshot>
  readonly options: ReadonlyMap<string, string>
}

/** The changes of one version; `isWhole` when the whole snapshot was read again. */
export type SnapshotUpdate = {
  readonly version: number
  readonly isWhole: boolean
  readonly fields: Readonly<Record<SnapshotKind, readonly string[]>>
}

export type SnapshotReader = {
  current(): Snapshot
  /** Reads the snapshot, then follows its changes; resolves at the first readable snapshot or rejects after `timeoutMs`. */
  start(timeoutMs?: number): Promise<void>
  stop(): void
  /** Reads the version, and the changes if it changed. */
  poll(): Promise<void>
  /** True once a snapshot of a known format was decoded. */
  isReady(): boolean
  onChange(listener: (update: SnapshotUpdate) => void): () => void
}

type ReaderOptions = {
  /** Between two polls while versions are announced. */
  readonly announcedPollMs?: number
  /** Between two polls while they are not. */
  readonly pollMs?: number
  readonly onError?: (cause: unknown) => void
}

type Maps = {
  version: number
  readonly channels: Map<number, ChannelSnapshot>
  readonly prices: Map<string, PriceSnapshot>
  readonly groups: Map<string, GroupSnapshot>
  readonly options: Map<string, string>
}

const SLICE_MS = 5

/** A new channel must serve within 100 ms of the call that created it, also while no announcements arrive. */
const POLL_MS = 50
const ANNOUNCED_POLL_MS = 1000

/**
 * Follows the published snapshot: reads its version when one is announced, and regularly in case an announcement was lost. Decodes only
 * changed fields and yields every 5 ms.
 */
export function createSnapshotReader(
  redis: Redis,
  { pollMs = POLL_MS, announcedPollMs = ANNOUNCED_POLL_MS, onError = () => undefined }: ReaderOptions = {},
): SnapshotReader {
  const maps: Maps = { version: -1, channels: new Map(), prices: new Map(), groups: new Map(), options: new Map() }
  const listeners = new Set<(update: SnapshotUpdate) => void>()
  let versions: SnapshotVersions | undefined
  let ticks: Ticks | undefined
  let running: Promise<void> | undefined
  let announced = 0
  let isStopped = false

  const pollOnce = async (): Promise<void> => {
    const head = await findSnapshotHead(redis)
    // A newer format: keep the current snapshot; the deployment replaces this process by one that can read it.
    if (head === undefined || head.format > SNAPSHOT_FORMAT || head.version === maps.version) return
    const isWhole = maps.version < 0 || head.version < maps.version || maps.version < head.floor
    const fields = isWhole ? await readWhole(redis, maps) : await readChanges(redis, maps, head.version)
    maps.version = head.version
    for (const listener of listeners) listener({ version: head.version, isWhole, fields })
  }
  const pollToTheEnd = async (): Promise<void> => {
    let before: number
    do {
      before = announced
      await pollOnce()
    } while (announced !== before)
  }
  const poll = (): Promise<void> => {
    running ??= pollToTheEnd()
      .catch(onError)
      .finally(() => {
        running = undefined
      })
    return running
  }
  const onVersion = (): void => {
    announced += 1
    void poll()
  }
  const schedule = (): void => {
    ticks?.stop()
    if (!isStopped) ticks = every(versions?.isFollowing() === true ? announcedPollMs : pollMs, () => void pollByTime())
  }
  const pollByTime = async (): Promise<void> => {
    const isCheck = running === undefined && versions?.isFollowing() === true
    const before = { version: maps.version, announced }
    await poll()
    // Its announcement was lost, or the connection is dead without having been closed.
    if (isCheck && maps.version !== before.version && announced === before.announced) versions?.reconnect()
  }
  return {
    current: () => maps,
    isReady: () => maps.version >= 0,
    poll,
    start: async (timeoutMs = 10_000) => {
      const deadline = performance.now() + timeoutMs
      versions = followSnapshotVersions(redis, { onVersion, onChange: schedule })
      schedule()
      await poll()
      while (maps.version < 0) {
        if (performance.now() > deadline) throw new Error(`no configuration snapshot in Redis within ${timeoutMs} ms`)
        await new Promise((resolve) => setTimeout(resolve, Math.min(pollMs, 100)))
        await poll()
      }
    },
    stop: () => {
      isStopped = true
      ticks?.stop()
      versions?.stop()
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

async function readWhole(redis: Redis, maps: Maps): Promise<Record<SnapshotKind, string[]>> {
  const fields = noFields()
  for (const kind of SNAPSHOT_KINDS) {
    const all = Object.entries(await redis.hgetall(keys.snapshot(kind)))
    const present = new Set(all.map(([field]) => field))
    for (const known of maps[kind].keys()) if (!present.has(String(known))) patch(maps, kind, String(known), null)
    await patchAll(maps, kind, all)
    fields[kind] = all.map(([field]) => field)
  }
  return fields
}

async function readChanges(redis: Redis, maps: Maps, upTo: number): Promise<Record<SnapshotKind, string[]>> {
  const fields = noFields()
  for (const kind of SNAPSHOT_KINDS) {
    const changed = await redis.zrangebyscore(keys.snapshotChanges(kind), `(${maps.version}`, upTo)
    if (changed.length === 0) continue
    const values = await redis.hmget(keys.snapshot(kind), ...changed)
    await patchAll(
      maps,
      kind,
      changed.map((field, index) => [field, values[index] ?? null]),
    )
    fields[kind] = changed
  }
  return fields
}

function noFields(): Record<SnapshotKind, string[]> {
  return { channels: [], prices: [], groups: [], options: [] }
}

async function patchAll(maps: Maps, kind: SnapshotKind, entries: readonly (readonly [string, string | null])[]): Promise<void> {
  let sliceEnd = performance.now() + SLICE_MS
  for (const [field, text] of entries) {
    patch(maps, kind, field, text)
    if (performance.now() < sliceEnd) continue
    await nextTurn()
    sliceEnd = performance.now() + SLICE_MS
  }
}

/** The assertions give published JSON its type: the publisher checked it with zod, and the format number is known. */
function patch(maps: Maps, kind: SnapshotKind, field: string, text: string | null): void {
  if (text === null) {
    if (kind === 'channels') maps.channels.delete(Number(field))
    else maps[kind].delete(field)
    return
  }
  const value: unknown = JSON.parse(text)
  if (kind === 'channels') maps.channels.set(Number(field), value as ChannelSnapshot)
  else if (kind === 'prices') maps.prices.set(field, value as PriceSnapshot)
  else if (kind === 'groups') maps.groups.set(field, value as GroupSnapshot)
  else maps.options.set(field, value as string)
}
