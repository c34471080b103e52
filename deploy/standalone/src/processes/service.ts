import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { STORE_AWAY } from '@tollgate/config/exit-code'
import { hasEnded, spawnDetached, stopProcess, untilEnded } from '@tollgate/servers/local-process'
import { visible } from '@tollgate/telemetry/visible'
import { tail } from './tail.ts'
import { patienceOf, stopRules, type PartName } from './orphans.ts'
import { removePidFile, writePidFile } from './pid-files.ts'
import type { Paths } from '../machine/paths.ts'
import { fail } from '../machine/log.ts'

type ServiceOptions = {
  readonly paths: Paths
  readonly name: PartName
  /** Arguments of node. */
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly port: number
  /** Prints what of a log line belongs on the terminal. */
  readonly showLine: (service: string, line: string) => void
}

export type Service = {
  /**
   * Resolves when `/readyz` answers 200; throws a one-line error if the service exits, is too slow, or `signal` is aborted. One that exits
   * because a store did not answer is started again.
   */
  untilReady(signal: AbortSignal): Promise<void>
  /** Starts it again at once, also while it waits for its next start after it has exited. */
  restart(): Promise<void>
  stop(): Promise<void>
}

const READY_WITHIN_MS = 60_000
const FIRST_BACK_OFF_MS = 1000
const LONGEST_BACK_OFF_MS = 30_000
/** After this uptime the restart delay starts from the minimum again. */
const STEADY_MS = 60_000

/** Node arguments from the start script in the service's package.json. */
export async function startArguments({ root }: Paths, name: PartName): Promise<string[]> {
  const folder = join(root, 'services', name)
  const { scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { scripts: { start: string } } // ours
  const words = scripts.start.split(' ').slice(1)
  return [...words.slice(0, -1), `services/${name}/${words.at(-1) ?? ''}`]
}

/** Starts a service of this clone and restarts it whenever it exits after it was once ready, or because a store did not answer. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { paths, name, port, showLine } = options
  const { signal } = stopRules[name]
  const logFile = join(paths.stateDir, 'log', `${name}.log`)
  const output = lastOutput()
  const logTail = await tail(logFile, (line) => {
    output.add(line)
    showLine(name, line)
  })
  let [isStopping, hasBeenReady] = [false, false]
  const stopped = new AbortController()
  let restarted = new AbortController()
  let child = await launch(options, logFile)
  const supervised = keepAlive()

  async function keepAlive(): Promise<void> {
    const backOff = createBackOff()
    for (;;) {
      const since = Date.now()
      const how = await untilEnded(child)
      if (isStopping || (!hasBeenReady && !lacksStore(child))) return
      if (!restarted.signal.aborted) {
        const ms = backOff.after(Date.now() - since)
        fail(`${name} ended (${how}), starting it again in ${ms / 1000} s; see ${logFile}`)
        await wait(ms, undefined, { signal: AbortSignal.any([stopped.signal, restarted.signal]) }).catch(() => undefined)
      }
      if (isStopping) return
      restarted = new AbortController()
      child = await launch(options, logFile)
    }
  }

  return {
    untilReady: async (startUp) => {
      const deadline = Date.now() + READY_WITHIN_MS
      const problem = (what: string): Error => new Error(`${name} ${what}: ${output.text()}; see ${logFile}`)
      while (!(await isReady(port))) {
        startUp.throwIfAborted()
        if (hasEnded(child)) await logTail.readNow()
        if (hasEnded(child) && !lacksStore(child)) throw problem(`did not start (${await untilEnded(child)})`)
        if (Date.now() > deadline) throw problem(`was not ready within ${READY_WITHIN_MS / 1000} s`)
        await wait(60)
      }
      hasBeenReady = true
    },
    restart: async () => {
      restarted.abort()
      await stopProcess(child, signal, patienceOf(name, options.env))
    },
    stop: async () => {
      isStopping = true
      stopped.abort()
      await stopProcess(child, signal, patienceOf(name, options.env))
      await supervised
      await logTail.stop()
      await removePidFile(paths, name)
    },
  }
}

/** On a machine that does much else, a connection can take longer than a service waits for it. */
const lacksStore = ({ exitCode }: ChildProcess): boolean => exitCode === STORE_AWAY

/** The delay before the next start: it doubles as long as the process ends soon after each start. */
function createBackOff(): { after(uptimeMs: number): number } {
  let nextMs = FIRST_BACK_OFF_MS
  return {
    after: (uptimeMs) => {
      const ms = uptimeMs > STEADY_MS ? FIRST_BACK_OFF_MS : nextMs
      nextMs = Math.min(ms * 2, LONGEST_BACK_OFF_MS)
      return ms
    },
  }
}

/** Freed memory of one thread serves another, instead of an arena of malloc for each: a worker is 70 MB smaller after load. */
const MALLOC = { MALLOC_ARENA_MAX: '2' }

async function launch({ paths, name, args, env, port }: ServiceOptions, logFile: string): Promise<ChildProcess> {
  const child = spawnDetached({ command: process.execPath, args, env: { ...MALLOC, ...env }, cwd: paths.root, logFile })
  if (child.pid !== undefined) await writePidFile(paths, name, { pid: child.pid, port })
  return child
}

async function isReady(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2000) })
    await answer.arrayBuffer()
    return answer.status === 200
  } catch {
    // Not listening yet.
    return false
  }
}

/** The last informative line of a service's output: an error's message rather than its stack. */
function lastOutput(): { add(line: string): void; text(): string } {
  let line = ''
  let failure = ''
  return {
    add: (next) => {
      const text = next.trim()
      if (/^(?:Uncaught )?[A-Za-z]*Error(?: \[\w+\])?: /.test(text)) failure = text
      else if (text !== '') line = text
    },
    text: () => visible((failure === '' ? line : failure) || 'no output', 300),
  }
}
