import type { Progress } from '@tollgate/redis/ledger-types'

type OpenRequest = { readonly opened: number; readonly progress: () => Progress; readonly stop: () => void }

/** Requests of this process that hold money: what the beat reports of, and what a drain waits for. */
export type OpenRequests = {
  open(requestId: string, progress: () => Progress, stop: () => void): void
  close(requestId: string): void
  has(requestId: string): boolean
  /** Of those open for over 2 s. */
  listProgress(): Progress[]
  /** Ends them all from our side: the drain's deadline has come. */
  stopAll(): void
  readonly size: number
}

const YOUNG_MS = 2000

export function createOpenRequests(): OpenRequests {
  const all = new Map<string, OpenRequest>()
  return {
    open: (requestId, progress, stop) => void all.set(requestId, { opened: performance.now(), progress, stop }),
    close: (requestId) => void all.delete(requestId),
    has: (requestId) => all.has(requestId),
    listProgress: () => {
      const before = performance.now() - YOUNG_MS
      return all
        .values()
        .filter(({ opened }) => opened <= before)
        .map(({ progress }) => progress())
        .toArray()
    },
    stopAll: () => {
      for (const { stop } of all.values()) stop()
    },
    get size() {
      return all.size
    },
  }
}
