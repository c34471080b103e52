import { ChannelSnapshot, GroupSnapshot, PriceSnapshot } from '@tollgate/contracts/snapshot'
import type { Redis } from 'ioredis'
import type { z } from 'zod'
import { keys } from '../keys.ts'

/** Single fields of the published snapshot, for the worker, which needs one now and then and does not follow all changes. */
export const findPublishedChannel = (redis: Redis, id: number): Promise<ChannelSnapshot | undefined> =>
  findField(redis, 'channels', String(id), ChannelSnapshot)

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
