import { z } from 'zod'
import type { Redis } from 'ioredis'
import { execAll } from '../exec-all.ts'
import { keys } from '../keys.ts'

/**
 * Answers that were delivered or refused, but that a gateway should understand better. `unknown-end`: the vendor's word for the end is in
 * no table. `usage`: the vendor's usage lacks a sum that can be used, so that it was counted here. `unknown-state`: a task stayed in a
 * state of the vendor that is in no table. `unclear-order`: the vendor did not say whether it took a task.
 */
export const UnexpectedAnswerKind = z.enum(['unknown-end', 'usage', 'unknown-state', 'unclear-order'])
const Field = z.tuple([z.int(), UnexpectedAnswerKind, z.string()])
const Latest = z.object({
  /** Unix milliseconds. */
  at: z.number(),
  model: z.string(),
  request_id: z.string(),
})
export const UnexpectedAnswer = Latest.extend({
  channel_id: z.int(),
  kind: UnexpectedAnswerKind,
  /** The vendor's word, or the name of the sum. */
  word: z.string(),
  count: z.int(),
})
export type UnexpectedAnswer = z.infer<typeof UnexpectedAnswer>

const DAY_MS = 24 * 3_600_000

/** Adds what a relay has seen since its last report. Rejects when Redis fails. */
export async function addUnexpectedAnswers(redis: Redis, seen: readonly UnexpectedAnswer[]): Promise<void> {
  if (seen.length === 0) return
  const pipeline = redis.pipeline()
  for (const { channel_id, kind, word, count, ...latest } of seen) {
    const field = JSON.stringify([channel_id, kind, word])
    pipeline.hset(keys.unexpectedAnswers(), field, JSON.stringify(latest)).hincrby(keys.unexpectedAnswerCounts(), field, count)
  }
  pipeline.pexpire(keys.unexpectedAnswers(), DAY_MS).pexpire(keys.unexpectedAnswerCounts(), DAY_MS)
  await execAll(pipeline)
}

/** Those of the last day, the latest first; removes older ones. */
export async function readUnexpectedAnswers(redis: Redis, now: number): Promise<UnexpectedAnswer[]> {
  const [latest, counts] = await Promise.all([redis.hgetall(keys.unexpectedAnswers()), redis.hgetall(keys.unexpectedAnswerCounts())])
  const found = Object.entries(latest).map(([field, text]) => ({ field, answer: parse(field, text, counts[field]) }))
  const old = found.filter(({ answer }) => answer === undefined || now - answer.at > DAY_MS).map(({ field }) => field)
  if (old.length > 0)
    await execAll(
      redis
        .pipeline()
        .hdel(keys.unexpectedAnswers(), ...old)
        .hdel(keys.unexpectedAnswerCounts(), ...old),
    )
  return found.flatMap(({ answer }) => (answer === undefined || now - answer.at > DAY_MS ? [] : [answer])).toSorted((a, b) => b.at - a.at)
}

/** Undefined for fields of another version. */
function parse(field: string, text: string, count = '1'): UnexpectedAnswer | undefined {
  try {
    const [channel_id, kind, word] = Field.parse(JSON.parse(field))
    return { ...Latest.parse(JSON.parse(text)), channel_id, kind, word, count: Number(count) }
  } catch {
    return undefined
  }
}
