import { ChannelSnapshot, GroupSnapshot, PriceSnapshot } from '@tollgate/contracts/relay/snapshot'
import type { Redis } from 'ioredis'
import type { z } from 'zod'
import { keys } from '../keys.ts'

/** Single fields of the published snapshot, for the worker, which needs one now and then and does not follow all changes. */
export const findPublishedChannel = (redis: Redis, id: number): Promise<ChannelSnapshot | undefined> =>
  findField(redis, 'channels', String(id), ChannelSnapshot)

/** Those of these channels that are published, in the order of the ids. */
export async function listPublishedChannels(redis: Redis, ids: readonly number[]): Promise<ChannelSnapshot[]> {
  if (ids.length === 0) return []
  const texts = await redis.hmget(keys.snapshot('channels'), ...ids.map(String))
  return texts.flatMap((text) => (text === null ? [] : [ChannelSnapshot.parse(JSON.parse(text))]))
}

/** All groups by name. */
export async function listPublishedGroups(redis: Redis): Promise<ReadonlyMap<string, GroupSnapshot>> {
  const all = Object.entries(await redis.hgetall(keys.snapshot('groups')))
  return new Map(all.map(([name, text]) => [name, GroupSnapshot.parse(JSON.parse(text))]))
}

export const findPublishedPrice = (redis: Redis, model: string): Promise<PriceSnapshot | undefined> =>
  findField(redis, 'prices', model, PriceSnapshot)

export const findPublishedGroup = (redis: Redis, name: string): Promise<GroupSnapshot | undefined> =>
  findField(redis, 'groups', name, GroupSnapshot)

async function findField<Schema extends z.ZodType>(
  redis: Redis,
  kind: 'channels' | 'prices' | 'groups',
  field: string,
  schema: Schema,
): Promise<z.output<Schema> | undefined> {
  const text = await redis.hget(keys.snapshot(kind), field)
  return text === null ? undefined : schema.parse(JSON.parse(text))
}
