import { listSendableBatches, type SendableBatch } from '@tollgate/db/queries/deferred/batches'
import { claimDeferred, claimResponses, listCancelled, type DeferredRow } from '@tollgate/db/queries/deferred/deferred-requests'
import type { Deps } from '../deps.ts'
import { sendDeferred, type SendDeps } from './send-deferred.ts'

export type DeferredRunner = {
  /** Takes due requests while calls are free, and stops those that were cancelled. */
  tick(): Promise<void>
  /** Takes no more, waits, and ends what still runs. */
  stop(): Promise<void>
}

/** Longer than a call may take: a request whose lease ran out was lost with its worker. */
const LEASE_S = 1000
const STOP_MS = 20_000

/** Part of the calls that one user may have, so that those of others find a place. */
const USER_SHARE = 3 / 4

type Running = { readonly abort: AbortController; readonly done: Promise<void>; readonly user_id: number }

export function createDeferredRunner(deps: SendDeps & { readonly log: Pick<Deps['log'], 'error'> }): DeferredRunner {
  const running = new Map<number, Running>()
  const state = { isStopping: false }
  const total = deps.env.DEFERRED_CONCURRENCY
  const perUser = Math.max(1, Math.floor(total * USER_SHARE))
  const start = (row: DeferredRow): void => {
    const abort = new AbortController()
    const done = sendDeferred(deps, row, abort.signal)
      .catch((err: unknown) => deps.log.error({ err, request_id: row.id }, 'A deferred request could not be stored; its lease will end it'))
      .finally(() => running.delete(row.seq))
    running.set(row.seq, { abort, done, user_id: row.user_id })
  }
  const claim = () => {
    const now = Math.floor(deps.now() / 1000)
    return { now, lease_until: now + LEASE_S }
  }
  const free = (): number => total - running.size
  /** Users with the fewest calls first. */
  const sendLines = async (): Promise<void> => {
    const held = countByUser(running.values())
    const callsOf = ({ user_id }: SendableBatch): number => held.get(user_id) ?? 0
    const batches = (await listSendableBatches(deps.db)).filter((batch) => callsOf(batch) < perUser)
    for (const [nth, batch] of batches.toSorted((a, b) => callsOf(a) - callsOf(b)).entries()) {
      if (state.isStopping || free() <= 0) return
      const limit = Math.min(perUser - callsOf(batch), Math.ceil(free() / (batches.length - nth)))
      for (const row of await claimDeferred(deps.db, batch.id, { ...claim(), limit })) start(row)
    }
  }
  return {
    tick: async () => {
      for (const seq of await listCancelled(deps.db, [...running.keys()])) running.get(seq)?.abort.abort('cancelled')
      if (state.isStopping || free() <= 0) return
      // Background responses first, because their clients wait; batches share what is left.
      const held = countByUser(running.values())
      for (const row of await claimResponses(deps.db, { ...claim(), limit: free(), held, per_user: perUser })) start(row)
      if (free() > 0) await sendLines()
    },
    stop: async () => {
      state.isStopping = true
      const all = Promise.all([...running.values()].map(({ done }) => done))
      const patience = Promise.withResolvers<void>()
      const timer = setTimeout(patience.resolve, STOP_MS)
      await Promise.race([all, patience.promise])
      clearTimeout(timer)
      for (const { abort } of running.values()) abort.abort('stopping')
      await Promise.all([...running.values()].map(({ done }) => done))
    },
  }
}

function countByUser(running: Iterable<Running>): Map<number, number> {
  const counts = new Map<number, number>()
  for (const { user_id } of running) counts.set(user_id, (counts.get(user_id) ?? 0) + 1)
  return counts
}
