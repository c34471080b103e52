type Warner = { warn(fields: { readonly err: unknown; readonly job: string }, text: string): void }

export type Loop = {
  /** Starts no further run; resolves when a running one has ended. */
  stop(): Promise<void>
}

type LoopOptions = {
  readonly name: string
  readonly intervalMs: number
  /** Delay before the first run; absent: none. */
  readonly firstAfterMs?: number
  readonly log: Warner
  /** Milliseconds of a clock that never goes back. With it, runs begin at whole multiples of the interval; see `startLoop`. */
  readonly monotonic?: () => number
  readonly run: () => Promise<unknown>
}

/**
 * Calls `run` repeatedly, never concurrently, with a pause in between; a failed run is logged and the loop continues. With
 * `monotonic` an idle process wakes once for all its loops. For work that cannot be a BullMQ job because it must
 * not depend on the queues that it repairs (docs/ledger.md).
 */
export function startLoop({ name, intervalMs, firstAfterMs, log, monotonic, run }: LoopOptions): Loop {
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
      .catch((err: unknown) => log.warn({ err, job: name }, 'periodic task failed'))
      .finally(() => {
        if (!isStopped) wait(monotonic === undefined ? intervalMs : untilNext(intervalMs, monotonic()))
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

/** The pause is at least a quarter of the interval. */
function untilNext(intervalMs: number, now: number): number {
  const rest = intervalMs - (now % intervalMs)
  return rest < intervalMs / 4 ? rest + intervalMs : rest
}
