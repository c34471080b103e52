import { RefusalBatch } from '@tollgate/contracts/relay/refusal'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import { keys } from '../keys.ts'
import { readScript } from '../scripts/read-script.ts'

/** Batches in the stream; beyond it relays keep counting and send no rows. A batch has at most 64 KB. */
const MAX_LENGTH = 500

const text = readScript('refusals-append')

type Append = { readonly relay_id: string; readonly seq: number; readonly batch: RefusalBatch }

/** Appends a batch; a repetition with the same number appends nothing. False: the stream is full. */
export async function appendRefusals(redis: Redis, { relay_id, seq, batch }: Append, maxLength = MAX_LENGTH): Promise<boolean> {
  const reply = await redis.eval(text, 2, keys.refusals(), keys.refusalSeq(relay_id), seq, JSON.stringify(batch), maxLength)
  return Number(reply) === 1
}

export type ReadBatch = {
  readonly id: string
  /** Undefined: the format is unknown to this version. */
  readonly batch: RefusalBatch | undefined
}

const Entries = z.array(z.tuple([z.string(), z.array(z.string())]))

export async function hasRefusals(redis: Redis): Promise<boolean> {
  return (await redis.xlen(keys.refusals())) > 0
}

/** The next batches after a stream id; '0': from the beginning. */
export async function readRefusals(redis: Redis, after: string, count: number): Promise<ReadBatch[]> {
  const reply: unknown = await redis.xrange(keys.refusals(), `(${after}`, '+', 'COUNT', count)
  return Entries.parse(reply).map(([id, fields]) => ({ id, batch: parseBatch(fields[1] ?? '') }))
}

/** Deletes batches whose rows and counts are in Postgres. */
export async function removeRefusals(redis: Redis, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await redis.xdel(keys.refusals(), ...ids)
}

function parseBatch(batch: string): RefusalBatch | undefined {
  try {
    return RefusalBatch.safeParse(JSON.parse(batch)).data
  } catch {
    // Written by another version.
    return undefined
  }
}
