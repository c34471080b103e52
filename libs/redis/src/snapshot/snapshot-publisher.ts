import {
  ChannelSnapshot,
  GroupSnapshot,
  OptionSnapshot,
  PriceSnapshot,
  SNAPSHOT_FORMAT,
  SNAPSHOT_KINDS,
  SnapshotHead,
  type SnapshotKind,
} from '@tollgate/contracts/relay/snapshot'
import type { Redis } from 'ioredis'
import { keys } from '../keys.ts'
import { readScript } from '../scripts/read-script.ts'

/** One changed field; `value` absent removes it. The field is the channel id, the model, the group or the option key. */
export type SnapshotChange =
  | { readonly kind: 'channels'; readonly field: string; readonly value: ChannelSnapshot | undefined }
  | { readonly kind: 'prices'; readonly field: string; readonly value: PriceSnapshot | undefined }
  | { readonly kind: 'groups'; readonly field: string; readonly value: GroupSnapshot | undefined }
  | { readonly kind: 'options'; readonly field: string; readonly value: string | undefined }

/** The whole configuration at one version, read in one repeatable-read transaction. */
export type WholeSnapshot = {
  readonly channels: readonly ChannelSnapshot[]
  readonly prices: readonly PriceSnapshot[]
  readonly groups: readonly GroupSnapshot[]
  readonly options: Readonly<Record<string, string>>
}

const KEPT_CHANGES = 10_000
const scripts = { publish: readScript('snapshot-publish'), replace: readScript('snapshot-replace'), trim: readScript('snapshot-trim') }
const schemas = { channels: ChannelSnapshot, prices: PriceSnapshot, groups: GroupSnapshot, options: OptionSnapshot } as const

/**
 * Publishes the changes of one version. Only the version after Redis' own is accepted: `older` means Redis already has a snapshot that
 * includes it, `gap` means that the caller must use `replaceSnapshot`.
 */
export async function publishSnapshot(
  redis: Redis,
  changes: readonly SnapshotChange[],
  version: number,
): Promise<'published' | 'older' | 'gap'> {
  const scriptKeys = [keys.snapshotHead(), ...SNAPSHOT_KINDS.flatMap((kind) => [keys.snapshot(kind), keys.snapshotChanges(kind)])]
  const triples = changes.flatMap((change) => [SNAPSHOT_KINDS.indexOf(change.kind) + 1, change.field, encodeChange(change)])
  const head = [version, SNAPSHOT_FORMAT, keys.snapshotVersions()]
  const answer: unknown = await redis.eval(scripts.publish, scriptKeys.length, ...scriptKeys, ...head, ...triples)
  if (answer !== 'published' && answer !== 'older' && answer !== 'gap') throw new Error(`snapshot-publish answered ${String(answer)}`)
  return answer
}

/** Replaces the whole snapshot by the state at `version` (start-up, gap, lost Redis); refuses when Redis has a greater version. */
export async function replaceSnapshot(redis: Redis, whole: WholeSnapshot, version: number): Promise<'published' | 'older'> {
  for (const [index, kind] of SNAPSHOT_KINDS.entries()) {
    const isLast = index === SNAPSHOT_KINDS.length - 1
    const answer: unknown = await redis.eval(
      scripts.replace,
      3,
      keys.snapshotHead(),
      keys.snapshot(kind),
      keys.snapshotChanges(kind),
      version,
      SNAPSHOT_FORMAT,
      isLast ? keys.snapshotVersions() : '',
      ...fieldsOf(whole, kind).flat(),
    )
    if (answer === -1) return 'older'
  }
  await redis.eval(
    scripts.trim,
    1 + SNAPSHOT_KINDS.length,
    keys.snapshotHead(),
    ...SNAPSHOT_KINDS.map((kind) => keys.snapshotChanges(kind)),
    KEPT_CHANGES,
  )
  return 'published'
}

/** Format, version and floor of the published snapshot; undefined before the first one. */
export async function findSnapshotHead(redis: Redis): Promise<(SnapshotHead & { floor: number }) | undefined> {
  const [format, version, floor] = await redis.hmget(keys.snapshotHead(), 'format', 'version', 'floor')
  const head = SnapshotHead.safeParse({ format: Number(format ?? undefined), version: Number(version ?? undefined) })
  return head.success ? { ...head.data, floor: Number(floor ?? '0') } : undefined
}

/** Fields of one kind in Redis, so that a publisher knows which to remove. */
export function listSnapshotFields(redis: Redis, kind: SnapshotKind): Promise<string[]> {
  return redis.hkeys(keys.snapshot(kind))
}

function encodeChange(change: SnapshotChange): string {
  if (change.value === undefined) return ''
  return encodeField(change.kind, change.value)
}

function encodeField(kind: SnapshotKind, value: unknown): string {
  return JSON.stringify(schemas[kind].parse(value))
}

function fieldsOf(whole: WholeSnapshot, kind: SnapshotKind): [string, string][] {
  switch (kind) {
    case 'channels':
      return whole.channels.map((channel) => [String(channel.id), encodeField(kind, channel)])
    case 'prices':
      return whole.prices.map((price) => [price.model, encodeField(kind, price)])
    case 'groups':
      return whole.groups.map((group) => [group.name, encodeField(kind, group)])
    case 'options':
      return Object.entries(whole.options).map(([key, value]) => [key, encodeField(kind, value)])
  }
}
