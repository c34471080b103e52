import { createHash, randomBytes } from 'node:crypto'
import type { Redis } from 'ioredis'
import { keys, type OneTimePurpose } from '../keys.ts'

/** Records of a sign-in that has begun expire after this time. */
export const ONE_TIME_TTL_S = 300

/** Stores a record and returns the secret that takes it; Redis has only the hash of the secret. */
export async function putOneTime(redis: Redis, purpose: OneTimePurpose, record: object): Promise<string> {
  const secret = randomBytes(24).toString('base64url')
  await redis.set(keyOf(purpose, secret), JSON.stringify(record), 'EX', ONE_TIME_TTL_S)
  return secret
}

/** The record, which is deleted in the same step, so that of two parallel calls one gets it. The caller checks its shape. */
export async function takeOneTime(redis: Redis, purpose: OneTimePurpose, secret: string): Promise<unknown> {
  const text = secret === '' ? null : await redis.getdel(keyOf(purpose, secret))
  return text === null ? undefined : JSON.parse(text)
}

/** The record, which can still be taken. */
export async function readOneTime(redis: Redis, purpose: OneTimePurpose, secret: string): Promise<unknown> {
  const text = secret === '' ? null : await redis.get(keyOf(purpose, secret))
  return text === null ? undefined : JSON.parse(text)
}

/** Marks a secret of another service as used; false when it was used before. */
export async function markUsed(redis: Redis, purpose: OneTimePurpose, secret: string): Promise<boolean> {
  return (await redis.set(keyOf(purpose, secret), '1', 'EX', ONE_TIME_TTL_S * 2, 'NX')) === 'OK'
}

function keyOf(purpose: OneTimePurpose, secret: string): string {
  return keys.oneTime(purpose, createHash('sha256').update(secret).digest('hex'))
}
