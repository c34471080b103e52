import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { spawnDetached, stopProcess } from '@tollgate/servers/local-process'
import { visible } from '@tollgate/telemetry/visible'
import { tail } from './tail.ts'
import { patienceOf, stopRules, type PartName } from './orphans.ts'
import { showServiceLine } from './log-lines.ts'
import { removePidFile, writePidFile } from './pid-files.ts'
import type { Paths } from './paths.ts'
import { fail } from './log.ts'

type ServiceOptions = {
  readonly paths: Paths
  readonly name: PartName
  /** Arguments of node. */
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly port: number
  /** Prints what of a log line belongs on the terminal. */
  readonly showLine?: (service: string, line: string) => void
}

export type Service = {
  /** Resolves when `/readyz` answers 200; throws a one-line error if the service exits, is too slow, or `signal` is aborted. */
  untilReady(signal: AbortSignal): Promise<void>
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

/** Starts a service of this clone and restarts it whenever it exits after it was once ready. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { paths, name, port, showLine = showServiceLine } = options
  const { signal } = stopRules[name]
  const logFile = join(paths.stateDir, 'log', `${name}.log`)
  const output = lastOutput()
  const logTail = await tail(logFile, (line) => {
    output.add(line)
    showLine(name, line)
  })
  let isStopping = false
  let hasBeenReady = false
  const stopped = new AbortController()
  let child = await launch(options, logFile)
  const supervised = keepAlive()

  async function keepAlive(): Promise<void> {
    let backOffMs = FIRST_BACK_OFF_MS
    for (;;) {
      const since = Date.now()
      await ended(child)
      if (isStopping || !hasBeenReady) return
      if (Date.now() - since > STEADY_MS) backOffMs = FIRST_BACK_OFF_MS
      fail(`${name} ended (${howItEnded(child)}), starting it again in ${backOffMs / 1000} s; see ${logFile}`)
      await wait(backOffMs, undefined, { signal: stopped.signal }).catch(() => undefined)
      if (isStopping) return
      backOffMs = Math.min(backOffMs * 2, LONGEST_BACK_OFF_MS)
      child = await launch(options, logFile)
    }
  }

  return {
    untilReady: async (asked) => {
      const deadline = Date.now() + READY_WITHIN_MS
      while (!(await isReady(port))) {
        asked.throwIfAborted()
        if (hasEnded(child)) await logTail.readNow()
        if (hasEnded(child)) throw new Error(`${name} did not start (${howItEnded(child)}): ${output.text()}; see ${logFile}`)
        if (Date.now() > deadline)
          throw new Error(`${name} was not ready within ${READY_WITHIN_MS / 1000} s: ${output.text()}; see ${logFile}`)
        await wait(60)
      }
      hasBeenReady = true
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

async function launch({ paths, name, args, env, port }: ServiceOptions, logFile: string): Promise<ChildProcess> {
  const child = spawnDetached({ command: process.execPath, args, env, cwd: paths.root, logFile })
  if (child.pid !== undefined) await writePidFile(paths, name, { pid: child.pid, port })
  return child
}

async function ended(child: ChildProcess): Promise<void> {
  if (!hasEnded(child)) await once(child, 'exit')
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

function howItEnded(child: ChildProcess): string {
  return child.signalCode === null ? `exit code ${child.exitCode}` : `signal ${child.signalCode}`
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
