/** What a loop needs of a logger; a service's own fits. */
type Warner = { warn(fields: { readonly err: unknown; readonly job: string }, text: string): void }

export type Loop = {
  /** Resolves when a run under way has ended; no other starts. */
  stop(): Promise<void>
}

type LoopOptions = {
  readonly name: string
  readonly intervalMs: number
  /** Pause before the first run; absent: it starts at once. */
  readonly firstAfterMs?: number
  readonly log: Warner
  readonly run: () => Promise<unknown>
}

/**
 * Runs something again and again, never twice at once, with a pause in between; a failed run is logged and the next one comes. For
 * what must not be a BullMQ job because it must not depend on the queues that it repairs (`ledger.md` section 7).
 */
export function startLoop({ name, intervalMs, firstAfterMs, log, run }: LoopOptions): Loop {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  const wait = (ms: number): void => {
    timer = setTimeout(turn, ms)
    timer.unref()
  }
  const turn = (): void => {
    running = run()
      .then(() => undefined)
      .catch((err: unknown) => log.warn({ err, job: name }, 'loop run failed'))
      .finally(() => {
        if (!isStopped) wait(intervalMs)
      })
  }
  if (firstAfterMs === undefined) turn()
  else wait(firstAfterMs)
  return {
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
