import { RESPONSE_LIFETIME_S } from '@tollgate/contracts/deferred/deferred'
import type { Db } from '@tollgate/db/connect'
import { endCancelledLines } from '@tollgate/db/queries/deferred/batches'
import { endOverdue, purgeResponses } from '@tollgate/db/queries/deferred/deferred-requests'
import { purgeFiles } from '@tollgate/db/queries/deferred/files'
import type { Deps } from '../deps.ts'
import { closeBatch } from './close-batch.ts'
import { openBatch } from './open-batch.ts'

export type DeferredTender = {
  /** Ends what is overdue or cancelled, and starts to open new batches and to close those whose lines have ended. */
  tick(): Promise<void>
  /** Waits for what was started. */
  stop(): Promise<void>
}

/** Batches at once, each of another user: a large one takes seconds, and those of others do not wait for it. */
const OPENED = 2
const CLOSED = 2
const LINES = 5000
const ROUNDS = 20
const ABANDONED_S = 3600
const PURGED = 20

/** Any number of workers may tend side by side. */
export function createDeferredTender({
  db,
  now,
  log,
}: Pick<Deps, 'db' | 'now'> & { readonly log: Pick<Deps['log'], 'error'> }): DeferredTender {
  const opening = new Map<number, Promise<void>>()
  const closing = new Set<Promise<void>>()
  const seconds = (): number => Math.floor(now() / 1000)
  const guard = (done: Promise<unknown>): Promise<void> =>
    done.then(
      () => undefined,
      (err: unknown) => log.error({ err }, 'A batch could not be opened or closed; it is tried again'),
    )
  const open = async (): Promise<boolean> => {
    const { user_id, done } = openBatch(db, { now: seconds(), except: [...opening.keys()] })
    const guarded = guard(done)
    const user = await user_id
    if (user === undefined) return false
    opening.set(
      user,
      guarded.finally(() => opening.delete(user)),
    )
    return true
  }
  const close = (): void => {
    const closer = guard(closeAll(db, seconds)).finally(() => closing.delete(closer))
    closing.add(closer)
  }
  return {
    tick: async () => {
      await endOverdue(db, seconds())
      for (let round = 0; round < ROUNDS; round += 1) if ((await endCancelledLines(db, { now: seconds(), limit: LINES })) < LINES) break
      while (closing.size < CLOSED) close()
      while (opening.size < OPENED && (await open()));
    },
    stop: async () => {
      await Promise.all([...opening.values(), ...closing])
    },
  }
}

async function closeAll(db: Db, now: () => number): Promise<void> {
  while (await closeBatch(db, now()));
}

/** Deletes files and background responses whose time is over. */
export async function purgeDeferred({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  const seconds = Math.floor(now() / 1000)
  await purgeFiles(db, { now: seconds, abandoned_before: seconds - ABANDONED_S, limit: PURGED })
  await purgeResponses(db, seconds - RESPONSE_LIFETIME_S)
}
