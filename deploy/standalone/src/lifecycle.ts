import { complain, outliveReaders, say, toLine } from './say.ts'

type Part = {
  /** Shown while it stops; empty: nobody needs to know. */
  readonly name: string
  stop(): Promise<void>
}

/** What runs, and how it ends: the parts stop in the reverse order of their start, once, whoever asks. */
export type Lifecycle = {
  /** Aborted when somebody asked us to stop: long steps of the start listen to it. */
  readonly signal: AbortSignal
  /** Notes a part that was started; when we are already stopping, it is stopped with the others. */
  add<P extends Part>(part: P): P
  /** Ends `run` as a signal would, without a word: for commands that do their work and go. */
  finish(): void
  /** Runs the start, then waits for a signal; stops everything; answers the exit code. */
  run(begin: () => Promise<void>): Promise<number>
}

/** A terminal's Ctrl-C arrives twice, from the terminal and through bootstrap.mjs: the echo is no second request. */
const ECHO_MS = 700

export function createLifecycle(): Lifecycle {
  const parts: Part[] = []
  const asked = new AbortController()
  let isTalking = true
  const untilAsked = new Promise<void>((resolve) => asked.signal.addEventListener('abort', () => resolve(), { once: true }))
  listenForSignals(asked)
  outliveReaders()
  return {
    signal: asked.signal,
    add: (part) => {
      parts.push(part)
      return part
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
      if (problem !== undefined && !asked.signal.aborted) complain(toLine(problem.error))
      if (problem === undefined) await untilAsked
      const hasStoppedWell = await stopAll(parts, asked.signal.aborted && isTalking)
      return hasStoppedWell && (problem === undefined || asked.signal.aborted) ? 0 : 1
    },
  }
}

async function stopAll(parts: Part[], isTalking: boolean): Promise<boolean> {
  let isWell = true
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    if (isTalking && part.name !== '') say(`stopping ${part.name} …`)
    try {
      await part.stop()
    } catch (error) {
      isWell = false
      complain(`${part.name === '' ? 'the launcher' : part.name} did not stop well: ${toLine(error)}`)
    }
  }
  if (isTalking) say('stopped')
  return isWell
}

function listenForSignals(asked: AbortController): void {
  let first = 0
  const onSignal = (): void => {
    const now = Date.now()
    if (first === 0) {
      first = now
      asked.abort()
    } else if (now - first > ECHO_MS) say('still stopping in order: open streams get their time (at most a minute)')
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  // bootstrap.mjs is gone without a word (kill -9): nobody could stop us any more.
  process.on('disconnect', onSignal)
}
