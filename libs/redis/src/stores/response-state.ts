import type { Redis } from 'ioredis'
import { keys } from '../keys.ts'
import { readScript } from '../scripts/read-script.ts'

/** A record by its name, which is unique per user. Values are opaque here: the relay seals them. */
export type StateRecord = { readonly name: string; readonly value: string }

type Lifetime = { readonly now: number; readonly ttl_s: number }

const putScript = readScript('response-state-put')
const getScript = readScript('response-state-get')
const removeScript = readScript('response-state-remove')

/** Keeps records; the user's oldest ones are removed when all take more than `max_bytes`. */
export async function putResponseState(
  redis: Redis,
  user_id: number,
  records: readonly StateRecord[],
  { now, ttl_s, max_bytes }: Lifetime & { readonly max_bytes: number },
): Promise<void> {
  const all = keysOf(user_id, records)
  const values = records.flatMap(({ name, value }) => [name, value])
  await redis.eval(putScript, all.length, ...all, now, ttl_s, max_bytes, keys.responseState(user_id, ''), ...values)
}

/** The values of records, undefined for those that are not kept; `too-large` if all exceed `max_bytes`. Reading renews their lifetime. */
export async function getResponseState(
  redis: Redis,
  user_id: number,
  names: readonly string[],
  { now, ttl_s, max_bytes }: Lifetime & { readonly max_bytes: number },
): Promise<(string | undefined)[] | 'too-large'> {
  if (names.length === 0) return []
  const all = keysOf(
    user_id,
    names.map((name) => ({ name })),
  )
  const reply: unknown = await redis.eval(getScript, all.length, ...all, now, ttl_s, max_bytes, ...names)
  if (reply === 0) return 'too-large'
  if (!Array.isArray(reply)) throw new Error('response-state-get did not answer a list')
  return names.map((_, at) => (typeof reply[at] === 'string' ? reply[at] : undefined))
}

/** Removes records; returns how many existed. */
export async function removeResponseState(redis: Redis, user_id: number, names: readonly string[]): Promise<number> {
  const all = keysOf(
    user_id,
    names.map((name) => ({ name })),
  )
  return Number(await redis.eval(removeScript, all.length, ...all, ...names))
}

function keysOf(user_id: number, records: readonly Pick<StateRecord, 'name'>[]): string[] {
  return [
    keys.responseStateOrder(user_id),
    keys.responseStateSizes(user_id),
    ...records.map(({ name }) => keys.responseState(user_id, name)),
  ]
}
