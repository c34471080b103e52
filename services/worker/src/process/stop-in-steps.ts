import { setTimeout as wait } from 'node:timers/promises'
import type { Redis } from '@tollgate/redis/connect'
import type { LedgerLog } from '@tollgate/ledger/log'

/** How long Redis may be away while the worker stops, and how often that is looked at. */
const AWAY_MS = 5000
const LOOK_MS = 250
/** Less than the minute that Compose and Helm give the worker. */
const STOP_WITHIN_MS = 50_000

type Step = readonly [name: string, work: () => Promise<unknown>]
type Stores = { readonly redis: Pick<Redis, 'status'>; readonly log: Pick<LedgerLog, 'warn'> }

/**
 * Takes the steps one after the other. It waits neither for a Redis that stays away, for which BullMQ waits without end, nor longer than
 * `STOP_WITHIN_MS`: then a line names the step, and the next worker repeats what was left.
 */
export async function stopInSteps(steps: readonly Step[], { redis, log }: Stores): Promise<void> {
  let at = ''
  const takeAll = async (): Promise<true> => {
    for (const [name, work] of steps) {
      at = name
      await work()
    }
    return true
  }
  const done = takeAll()
  const until = performance.now() + STOP_WITHIN_MS
  for (let awayMs = 0; awayMs < AWAY_MS && performance.now() < until; awayMs = redis.status === 'ready' ? 0 : awayMs + LOOK_MS) {
    if (await Promise.race([done, wait(LOOK_MS, false)])) return
  }
  // Its failure is of what is left.
  done.catch(() => undefined)
  const reason = redis.status === 'ready' ? 'it took too long' : 'Redis is away'
  log.warn({ detail: `${at}: ${reason}` }, 'Stopped before everything was ended; the next worker continues')
}
