import { TtlMap } from '@tollgate/ledger/ttl-map'
import type { Progress } from '@tollgate/ledger/client/types'

type OpenRequest = { readonly opened: number; readonly progress: () => Progress; readonly stop: () => void }

/** Requests of this process that hold money: the heartbeat reports their progress, and a drain waits for them. */
export type OpenRequests = {
  open(requestId: string, progress: () => Progress, stop: () => void): void
  close(requestId: string): void
  has(requestId: string): boolean
  /** Progress of the requests that have been open for more than 1 s. */
  listProgress(): Progress[]
  /** Stops all of them, because the drain deadline has passed. */
  stopAll(): void
  /** Resolves with true as soon as none is open, or with false after `ms`. */
  untilEmpty(ms: number): Promise<boolean>
  readonly size: number
}

/** With a heartbeat each second, at most 2 s of delivery are unknown to Redis (L2 in docs/ledger.md). Most requests end earlier. */
const YOUNG_MS = 1000

export function createOpenRequests(now: () => number = () => performance.now()): OpenRequests {
  const all = new TtlMap<OpenRequest>()
  const waiting = new Set<() => void>()
  return {
    open: (requestId, progress, stop) => all.set(requestId, { opened: now(), progress, stop }),
    close: (requestId) => {
      all.delete(requestId)
      if (all.size === 0) for (const notify of waiting) notify()
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
          waiting.delete(notify)
          resolve(isEmpty)
        }
        const notify = () => end(true)
        const timer = setTimeout(() => end(false), ms)
        waiting.add(notify)
      })
    },
    // oxlint-disable-next-line tollgate/no-object-getter -- made once per process
    get size() {
      return all.size
    },
  }
}
