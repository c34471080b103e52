import { z } from 'zod'
import type { Redis } from 'ioredis'
import { keys } from '../keys.ts'

/** Evidence that a channel, or one of its keys, is unusable: upstream's answer, without secrets. */
export const ChannelIncident = z.object({
  channel_id: z.int(),
  channel_name: z.string(),
  /** Unix milliseconds. */
  at: z.number(),
  /** Upstream's error text, at most 300 characters. */
  reason: z.string(),
  /** HTTP status; 0: no answer. */
  status: z.int(),
  code: z.string().default(''),
  /** Id of the key; '' where the channel has one. */
  key_id: z.string().default(''),
})
export type ChannelIncident = z.infer<typeof ChannelIncident>

const MAX_LENGTH = 100_000
const GROUP = 'worker'

/** Rejects when Redis does not answer; a lost incident does not affect balances. */
export async function appendIncident(redis: Redis, incident: ChannelIncident): Promise<void> {
  await redis.xadd(keys.incidents(), 'MAXLEN', '~', MAX_LENGTH, '*', 'incident', JSON.stringify(incident))
}

export type ReadIncident = {
  readonly id: string
  /** Undefined: the format is unknown to this version. */ readonly incident: ChannelIncident | undefined
}

const IDLE_MS = 60_000
const Entries = z.array(z.tuple([z.string(), z.array(z.string()).nullable()]))

/**
 * The next incidents for this consumer, in one pipelined call: those that a dead consumer took and did not acknowledge, and new ones, at
 * most `count` of each. An incident that is not acknowledged is delivered again.
 */
export async function takeIncidents(redis: Redis, consumer: string, count: number): Promise<ReadIncident[]> {
  const replies = (await takeFromGroup(redis, consumer, count)) ?? (await openGroup(redis), await takeFromGroup(redis, consumer, count))
  const [claimed, read] = replies ?? []
  const [stream]: unknown[] = Array.isArray(read) ? read : []
  const unfinished = Array.isArray(claimed) ? toIncidents(claimed[1]) : []
  return [...unfinished, ...(Array.isArray(stream) ? toIncidents(stream[1]) : [])]
}

/** The replies of XAUTOCLAIM and XREADGROUP; undefined: the group does not exist. */
async function takeFromGroup(redis: Redis, consumer: string, count: number): Promise<unknown[] | undefined> {
  const replies = await redis
    .pipeline()
    .xautoclaim(keys.incidents(), GROUP, consumer, IDLE_MS, '0', 'COUNT', count)
    .xreadgroup('GROUP', GROUP, consumer, 'COUNT', count, 'STREAMS', keys.incidents(), '>')
    .exec()
  for (const [error] of replies ?? []) {
    if (error?.message.startsWith('NOGROUP') === true) return undefined
    if (error !== null) throw error
  }
  return replies?.map(([, reply]) => reply)
}

export async function acknowledgeIncidents(redis: Redis, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await redis.xack(keys.incidents(), GROUP, ...ids)
}

async function openGroup(redis: Redis): Promise<void> {
  try {
    await redis.xgroup('CREATE', keys.incidents(), GROUP, '0', 'MKSTREAM')
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('BUSYGROUP')) throw error
  }
}

function toIncidents(reply: unknown): ReadIncident[] {
  return Entries.parse(reply).map(([id, fields]) => ({ id, incident: parseIncident(fields?.[1] ?? '') }))
}

function parseIncident(text: string): ChannelIncident | undefined {
  try {
    return ChannelIncident.safeParse(JSON.parse(text)).data
  } catch {
    // Written by another version: acknowledged and ignored.
    return undefined
  }
}
