import { toLine } from '@tollgate/telemetry/error-line'
import { fail, outliveReaders, log } from '../machine/log.ts'

type Part = {
  /** Printed while the part stops; empty: not printed. */
  readonly name: string
  stop(): Promise<void>
}

/** The running parts. They stop once, in the reverse order of their start. */
export type Lifecycle = {
  /** Aborted by a stop signal; long start-up steps listen to it. */
  readonly signal: AbortSignal
  /** Registers a started part. During a stop it is stopped with the others. */
  add<P extends Part>(part: P): P
  /** Ends `run` with this problem as its one line, and with code 1. */
  giveUp(problem: string): void
  /** Ends `run` like a signal, without output: for commands that finish by themselves. */
  finish(): void
  /** Runs the start-up, waits for a signal, stops everything and returns the exit code. */
  run(begin: () => Promise<void>): Promise<number>
}

/** Ctrl-C arrives twice, from the terminal and through bootstrap.mjs; the second signal within this time is ignored. */
const ECHO_MS = 700

export function createLifecycle(): Lifecycle {
  const parts: Part[] = []
  const asked = new AbortController()
  let isTalking = true
  let hasGivenUp = false
  const untilAsked = new Promise<void>((resolve) => asked.signal.addEventListener('abort', () => resolve(), { once: true }))
  listenForSignals(asked)
  outliveReaders()
  return {
    signal: asked.signal,
    add: (part) => {
      parts.push(part)
      return part
    },
    giveUp: (problem) => {
      if (asked.signal.aborted) return
      fail(problem)
      hasGivenUp = true
      isTalking = false
      asked.abort()
    },
    finish: () => {
      isTalking = false
      asked.abort()
    },
    run: async (begin) => {
      const problem = await begin().then(
        () => undefined,
        (error: unknown) => ({ error }),
      )
      if (problem !== undefined && !asked.signal.aborted) fail(toLine(problem.error))
      if (problem === undefined) await untilAsked
      const hasStoppedWell = await stopAll(parts, asked.signal.aborted && isTalking)
      return !hasGivenUp && hasStoppedWell && (problem === undefined || asked.signal.aborted) ? 0 : 1
    },
  }
}

async function stopAll(parts: Part[], isTalking: boolean): Promise<boolean> {
  let isWell = true
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    if (isTalking && part.name !== '') log(`stopping ${part.name} …`)
    try {
      await part.stop()
    } catch (error) {
      isWell = false
      fail(`${part.name === '' ? 'the launcher' : part.name} did not stop cleanly: ${toLine(error)}`)
    }
  }
  if (isTalking) log('stopped')
  return isWell
}

function listenForSignals(asked: AbortController): void {
  let first = 0
  const onSignal = (): void => {
    const now = Date.now()
    if (first === 0) {
      first = now
      asked.abort()
    } else if (now - first > ECHO_MS) log('still stopping in order: open streams get their time (at most a minute)')
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  // bootstrap.mjs was killed with SIGKILL, so no further signal can reach this process.
  process.on('disconnect', onSignal)
}
