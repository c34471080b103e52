export type Ticks = { stop(): void }

/**
 * Calls `run` at whole multiples of the interval, counted from the start of the process, so that an idle process wakes once for all its
 * periodic work. Does not keep the process alive.
 */
export function every(intervalMs: number, run: () => void): Ticks {
  let timer: NodeJS.Timeout
  const wait = (): void => {
    timer = setTimeout(tick, untilNext(intervalMs))
    timer.unref()
  }
  const tick = (): void => {
    wait()
    run()
  }
  wait()
  return { stop: () => clearTimeout(timer) }
}

/** A timer may fire a little early, before its multiple. */
function untilNext(intervalMs: number): number {
  const rest = intervalMs - (performance.now() % intervalMs)
  return rest < intervalMs / 10 ? rest + intervalMs : rest
}
