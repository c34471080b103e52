import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { createInterface } from 'node:readline'
import { spawnSync } from 'node:child_process'

/** The side of the measurement a process belongs to. Each side has its own core if the machine has two. */
export type Side = 'gateway' | 'load'

const hasTaskset = spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status === 0
const cores = availableParallelism()

/** Cores per side, or undefined if not pinned. BENCH_GATEWAY_CORES and BENCH_LOAD_CORES select others, in taskset's syntax. */
export const pins: Readonly<Record<Side, string | undefined>> = {
  gateway: process.env['BENCH_GATEWAY_CORES'] ?? (hasTaskset && cores >= 2 ? String(cores - 1) : undefined),
  load: process.env['BENCH_LOAD_CORES'] ?? (hasTaskset && cores >= 2 ? '0' : undefined),
}

export type Started = { readonly pid: number; readonly child: ChildProcess; readonly lines: AsyncIterator<string>; stop(): Promise<void> }

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

type Launch = {
  /** Selects the core; undefined: any. */
  readonly side?: Side
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Time to stop before it is killed. */
  readonly stopTimeoutMs?: number
}

/** Starts a process on its side's core. taskset replaces itself by the program (exec), so the pid is the program's. */
export function start({ side, command, args, env = {}, cwd, stopTimeoutMs = STOP_MS }: Launch): Started {
  const pin = side === undefined ? undefined : pins[side]
  const [program, rest] = pin === undefined ? [command, args] : ['taskset', ['-c', pin, command, ...args]]
  const child = spawn(program, [...rest], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] ?? '', ...env },
    ...(cwd === undefined ? {} : { cwd }),
  })
  running.add(child)
  const ended = once(child, 'exit').then(() => running.delete(child))
  return {
    pid: child.pid ?? 0,
    child,
    lines: createInterface({ input: child.stdout })[Symbol.asyncIterator](),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
      await ended
      clearTimeout(timer)
    },
  }
}

const STOP_MS = 5000

/** The next JSON line that a process prints; throws when the process exits. */
export async function readLine<T>({ lines, child }: Pick<Started, 'lines' | 'child'>): Promise<T> {
  for (;;) {
    const line = await lines.next()
    if (line.done === true) throw new Error(`${child.spawnargs.join(' ')} exited before it printed the expected line`)
    if (line.value.startsWith('{')) return JSON.parse(line.value) as T // our own programs, each with one kind of line
  }
}

/** Reads what a process prints and forgets it, so that its pipe never fills. */
export function ignoreOutput({ child }: Started): void {
  child.stdout?.resume()
}

/** Waits until an HTTP server at this port answers with 2xx at the path. */
export async function waitUntilReady(port: number, path: string, timeoutMs = 120_000): Promise<void> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const isReady = await fetch(`http://127.0.0.1:${port}${path}`).then(
      async (answer) => {
        await answer.arrayBuffer()
        return answer.ok
      },
      () => false,
    )
    if (isReady) return
    if (Date.now() > deadline) throw new Error(`nothing answers at port ${port}${path}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
