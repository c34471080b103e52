import { TtlMap } from '@tollgate/ledger/ttl-map'
import type { Progress } from '@tollgate/ledger/client/types'

type OpenRequest = { readonly opened: number; readonly progress: () => Progress; readonly stop: () => void }

/** Requests of this process that hold money: what the beat reports of, and what a drain waits for. */
export type OpenRequests = {
  open(requestId: string, progress: () => Progress, stop: () => void): void
  close(requestId: string): void
  has(requestId: string): boolean
  /** Of those open for over 1 s. */
  listProgress(): Progress[]
  /** Ends them all from our side: the drain's deadline has come. */
  stopAll(): void
  /** Resolves with true when none is open any more, with false after so many milliseconds. */
  untilEmpty(ms: number): Promise<boolean>
  readonly size: number
}

/** With a beat each second, no more than 2 s of delivery are ever unknown to Redis (ledger.md L2). Most requests end before. */
const YOUNG_MS = 1000

export function createOpenRequests(now: () => number = () => performance.now()): OpenRequests {
  const all = new TtlMap<OpenRequest>()
  const waiting = new Set<() => void>()
  return {
    open: (requestId, progress, stop) => all.set(requestId, { opened: now(), progress, stop }),
    close: (requestId) => {
      all.delete(requestId)
      if (all.size === 0) for (const tell of waiting) tell()
    },
    has: (requestId) => all.has(requestId),
    listProgress: () => {
      const before = now() - YOUNG_MS
      return all
        .values()
        .filter(({ opened }) => opened <= before)
        .map(({ progress }) => progress())
        .toArray()
    },
    stopAll: () => {
      for (const { stop } of all.values()) stop()
    },
    untilEmpty: (ms) => {
      if (all.size === 0 || ms <= 0) return Promise.resolve(all.size === 0)
      return new Promise((resolve) => {
        const end = (isEmpty: boolean) => {
          clearTimeout(timer)
          waiting.delete(tell)
          resolve(isEmpty)
        }
        const tell = () => end(true)
        const timer = setTimeout(() => end(false), ms)
        waiting.add(tell)
      })
    },
    // oxlint-disable-next-line tollgate/no-object-getter -- made once per process
    get size() {
      return all.size
    },
  }
}
