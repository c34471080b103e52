import type { Log } from '../deps.ts'

export type Loop = {
  /** Resolves when a run under way has ended; no other starts. */
  stop(): Promise<void>
}

/** Runs something again and again, never twice at once, with a pause in between. A failed run is logged and the next one comes. */
export function startLoop({
  name,
  intervalMs,
  log,
  run,
}: {
  readonly name: string
  readonly intervalMs: number
  readonly log: Log
  readonly run: () => Promise<unknown>
}): Loop {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  const next = (): void => {
    if (isStopped) return
    timer = setTimeout(() => {
      running = run()
        .catch((error: unknown) => log.warn({ err: error, loop: name }, 'loop run failed'))
        .then(next)
    }, intervalMs)
    timer.unref()
  }
  next()
  return {
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
