import { setTimeout as wait } from 'node:timers/promises'
import type { LocalServer } from '@tollgate/servers/local-process'
import { toLine } from '@tollgate/telemetry/error-line'

type Server = Pick<LocalServer, 'untilEnded' | 'stop'>

export type KeepOptions = {
  readonly name: string
  readonly logFile: string
  /** The running server. */
  readonly first: Server
  /** Starts it again, at the same address and on the same data. */
  readonly start: () => Promise<Server>
  readonly onAway: (name: string, line: string) => void
  readonly onBack: (name: string, line: string) => void
  /** The last try has failed; `problem` is one line. */
  readonly onGivenUp: (problem: string) => void
  /** Delay before each try, in milliseconds; after the last one it gives up. */
  readonly backOffMs?: readonly number[]
}

const BACK_OFF_MS = [0, 500, 1000, 2000, 4000, 8000, 15_000, 30_000, 30_000, 30_000]
/** After this uptime the tries are counted from the first again. */
const STEADY_MS = 60_000
const REMIND_MS = 60_000

/** Starts a store again whenever it ends, with a growing delay, and gives up after the last of `backOffMs`. */
export function keepStore(options: KeepOptions): { stop(): Promise<void> } {
  const { name, logFile, first, start, onAway, onBack, onGivenUp, backOffMs = BACK_OFF_MS } = options
  const stopped = new AbortController()
  let server: Server | undefined = first
  const kept = keep()

  async function keep(): Promise<void> {
    let tries = 0
    while (server !== undefined) {
      const since = Date.now()
      const how = await server.untilEnded()
      if (stopped.signal.aborted) return
      if (Date.now() - since > STEADY_MS) tries = 0
      onAway(name, `${name} ended (${how}), starting it again; see ${logFile}`)
      ;({ server, tries } = await startAgain(how, tries))
    }
  }

  /** Tries until it runs; `server` is absent when it is stopped meanwhile, or given up. */
  async function startAgain(how: string, before: number): Promise<{ server: Server | undefined; tries: number }> {
    const since = Date.now()
    let [problem, remindedAt] = [how, since]
    for (let tries = before; ; tries += 1) {
      const delay = backOffMs[tries]
      if (delay === undefined) {
        onGivenUp(`${name} could not be started again in ${tries} tries: ${problem}; see ${logFile}`)
        return { server: undefined, tries }
      }
      await wait(delay, undefined, { signal: stopped.signal }).catch(() => undefined)
      if (stopped.signal.aborted) return { server: undefined, tries }
      try {
        const started = await start()
        onBack(name, `${name} runs again after ${((Date.now() - since) / 1000).toFixed(1)} s`)
        return { server: started, tries: tries + 1 }
      } catch (error) {
        problem = toLine(error)
      }
      if (Date.now() - remindedAt < REMIND_MS) continue
      remindedAt = Date.now()
      onAway(name, `${name} is still away (${tries + 1} tries): ${problem}`)
    }
  }

  return {
    stop: async () => {
      stopped.abort()
      await server?.stop()
      await kept
      await server?.stop()
    },
  }
}
