import type { Logger } from '@tollgate/telemetry/logger'

export type Loop = {
  /** Resolves when a run under way has ended; no other starts. */
  stop(): Promise<void>
}

/** Runs something again and again, never twice at once. For what must not depend on the queues it repairs. */
export function startLoop({
  name,
  intervalMs,
  log,
  run,
}: {
  readonly name: string
  readonly intervalMs: number
  readonly log: Pick<Logger, 'warn'>
  readonly run: () => Promise<unknown>
}): Loop {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  const turn = (): void => {
    running = run()
      .then(() => undefined)
      .catch((err: unknown) => log.warn({ err, job: name }, 'loop run failed'))
      .finally(() => {
        if (!isStopped) timer = setTimeout(turn, intervalMs)
      })
  }
  turn()
  return {
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
