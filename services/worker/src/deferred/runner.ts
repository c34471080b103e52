import { listSendableBatches } from '@tollgate/db/queries/batches'
import { claimDeferred, listCancelled, type DeferredRow } from '@tollgate/db/queries/deferred-requests'
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

type Running = { readonly abort: AbortController; readonly done: Promise<void> }

export function createDeferredRunner(deps: SendDeps & { readonly log: Pick<Deps['log'], 'error'> }): DeferredRunner {
  const running = new Map<number, Running>()
  const state = { isStopping: false }
  const start = (row: DeferredRow): void => {
    const abort = new AbortController()
    const done = sendDeferred(deps, row, abort.signal)
      .catch((err: unknown) => deps.log.error({ err, request_id: row.id }, 'A deferred request could not be stored; its lease will end it'))
      .finally(() => running.delete(row.seq))
    running.set(row.seq, { abort, done })
  }
  const claim = async (batch_id: string, limit: number): Promise<void> => {
    const now = Math.floor(deps.now() / 1000)
    if (limit <= 0) return
    for (const row of await claimDeferred(deps.db, batch_id, { now, lease_until: now + LEASE_S, limit })) start(row)
  }
  const free = (): number => deps.env.DEFERRED_CONCURRENCY - running.size
  return {
    tick: async () => {
      for (const seq of await listCancelled(deps.db, [...running.keys()])) running.get(seq)?.abort.abort('cancelled')
      if (state.isStopping || free() <= 0) return
      // Background responses first, because their clients wait; batches share what is left.
      await claim('', free())
      const batches = free() > 0 ? await listSendableBatches(deps.db, free()) : []
      for (const [nth, id] of batches.entries()) {
        if (state.isStopping) return
        await claim(id, Math.ceil(free() / (batches.length - nth)))
      }
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
