import { setTimeout as wait } from 'node:timers/promises'
import type { Redis } from '@tollgate/redis/connect'

/** How long Redis may be away while the worker stops, and how often that is looked at. */
const AWAY_MS = 5000
const LOOK_MS = 250

/**
 * Waits for the work of stopping, but not for a Redis that stays away, for which BullMQ waits without end: false if the work is left undone.
 * The next worker repeats what was left.
 */
export async function isDoneUnlessAway(work: Promise<unknown>, redis: Pick<Redis, 'status'>): Promise<boolean> {
  const done = work.then(() => true)
  for (let awayMs = 0; awayMs < AWAY_MS; awayMs = redis.status === 'ready' ? 0 : awayMs + LOOK_MS) {
    if (await Promise.race([done, wait(LOOK_MS, false)])) return true
  }
  // Its failure is of what is left.
  done.catch(() => undefined)
  return false
}
