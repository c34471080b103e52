import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import { readScript } from '../scripts/read-script.ts'

export type WindowResult = { readonly isTaken: true; readonly left: number } | { readonly isTaken: false; readonly retry_after_ms: number }

const text = readScript('window-take')

/** Takes one place in a sliding window of the control plane; refuses when `max` places were taken within the last `windowMs`. */
export async function takeFromWindow(redis: Redis, key: string, max: number, windowMs: number): Promise<WindowResult> {
  const reply: unknown = await redis.eval(text, 1, key, max, windowMs, randomUUID())
  if (!Array.isArray(reply)) throw new Error('window-take did not answer a list')
  return Number(reply[0]) === 1 ? { isTaken: true, left: Number(reply[1]) } : { isTaken: false, retry_after_ms: Number(reply[1]) }
}
