import * as inspector from 'node:inspector'
import { Worker } from 'node:worker_threads'

export type WatchdogData = {
  readonly shared: Int32Array<SharedArrayBuffer>
  readonly service: string
  readonly limit_s: number
}

/** Places in `shared`: turns of the event loop, and whether a debugger may hold it. */
export const PLACES = { turns: 0, isDebugged: 1 } as const

const TICK_MS = 250

/**
 * Ends this process when its event loop has not turned for so many seconds, since everything on it stands still and only a new process
 * helps. A thread of its own watches, and writes a log line with the functions that the loop was in. 0: off.
 */
export function watchEventLoop(service: string, limit_s: number): void {
  if (limit_s === 0) return
  const shared = new Int32Array(new SharedArrayBuffer(8))
  const workerData: WatchdogData = { shared, service, limit_s }
  const worker = new Worker(new URL('watchdog-worker.ts', import.meta.url), {
    name: 'watchdog',
    env: {},
    execArgv: [],
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  })
  worker.unref()
  const ticker = setInterval(() => {
    Atomics.add(shared, PLACES.turns, 1)
    Atomics.store(shared, PLACES.isDebugged, inspector.url() === undefined ? 0 : 1)
  }, TICK_MS)
  ticker.unref()
  // Without its thread the process is unwatched, and serves on.
  worker.on('error', () => clearInterval(ticker))
}
