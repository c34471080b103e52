import { z } from 'zod'
import type { Redis } from 'ioredis'
import { keys } from '../keys.ts'

/** Evidence that a channel, or one of its keys, is unusable: what upstream answered, cleaned, without any key. */
export const ChannelIncident = z.object({
  channel_id: z.int(),
  channel_name: z.string(),
  /** Unix milliseconds. */
  at: z.number(),
  /** Upstream's text, at most 300 characters. */
  reason: z.string(),
  /** 0: it never answered. */
  status: z.int(),
  code: z.string().default(''),
  /** Of the key; '' where the channel has one. */
  key_id: z.string().default(''),
})
export type ChannelIncident = z.infer<typeof ChannelIncident>

const MAX_LENGTH = 100_000
const GROUP = 'worker'

/** Rejects when Redis is away: a lost one is no loss of money. */
export async function appendIncident(redis: Redis, incident: ChannelIncident): Promise<void> {
  await redis.xadd(keys.incidents(), 'MAXLEN', '~', MAX_LENGTH, '*', 'incident', JSON.stringify(incident))
}

export type ReadIncident = {
  readonly id: string
  /** Undefined: of a form that is not known here. */ readonly incident: ChannelIncident | undefined
}

const IDLE_MS = 60_000
const Entries = z.array(z.tuple([z.string(), z.array(z.string()).nullable()]))

/**
 * The next incidents for this consumer: those that a dead consumer took and never finished, then new ones. Each has to be
 * acknowledged; what is not comes again to somebody.
 */
export async function takeIncidents(redis: Redis, consumer: string, count: number): Promise<ReadIncident[]> {
  await openGroup(redis)
  const claimed: unknown = await redis.xautoclaim(keys.incidents(), GROUP, consumer, IDLE_MS, '0', 'COUNT', count)
  const left = Array.isArray(claimed) ? toIncidents(claimed[1]) : []
  if (left.length > 0) return left
  const reply: unknown = await redis.xreadgroup('GROUP', GROUP, consumer, 'COUNT', count, 'STREAMS', keys.incidents(), '>')
  const [stream]: unknown[] = Array.isArray(reply) ? reply : []
  return Array.isArray(stream) ? toIncidents(stream[1]) : []
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
    // Of another version: acknowledged and left out.
    return undefined
  }
}
