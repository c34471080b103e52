import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isPortTaken } from './free-port.ts'

export type LocalServer = {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Resolves with how it ended: `exit code 1`, `signal SIGKILL`. */
  untilEnded(): Promise<string>
  /** Stops it and waits until it has ended. */
  stop(): Promise<void>
}

type DetachedOptions = {
  readonly command: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly user?: { readonly uid: number; readonly gid: number }
  /** Receives its output, so that it survives a launcher that was killed; absent: the last lines are kept in memory. */
  readonly logFile?: string | undefined
}

/** Starts a program in its own process group: Ctrl-C in a terminal reaches only the launcher, which stops its children in order. */
export function spawnDetached({ command, args, env, cwd, user, logFile }: DetachedOptions): ChildProcess {
  if (logFile === undefined) return spawn(command, args, { ...user, env, cwd, detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  mkdirSync(dirname(logFile), { recursive: true })
  const log = openSync(logFile, 'a', 0o600)
  const child = spawn(command, args, { ...user, env, cwd, detached: true, stdio: ['ignore', log, log] })
  closeSync(log)
  return child
}

/** Returns the last 2 000 characters of the child's output. */
export function tailOf(child: ChildProcess, logFile?: string): () => Promise<string> {
  let tail = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    tail = (tail + chunk.toString()).slice(-2000)
  })
  return async () => (logFile === undefined ? tail : (await readFile(logFile, 'utf8')).slice(-2000)).trim()
}

/** Throws if another process listens on the port: it would be mistaken for the server that is started there. */
export async function requireFreePort(port: number): Promise<void> {
  if (await isPortTaken(port)) throw new Error(`port ${port} is taken`)
}

/** Waits until the child accepts connections. If it ends first or takes 30 s, it is killed and `reason` becomes the error. */
export async function waitUntilListening(child: ChildProcess, port: number, reason: () => Promise<string>): Promise<void> {
  const deadline = Date.now() + 30_000
  let hasFailed = false
  child.once('error', () => {
    hasFailed = true
  })
  for (;;) {
    if (hasFailed || hasEnded(child) || Date.now() > deadline) {
      child.kill('SIGKILL')
      throw new Error(await reason())
    }
    if (await canConnect(port)) return
    await wait(40)
  }
}

/** Sends the signal, waits, and kills the child if it has not ended after `patienceMs`. */
export async function stopProcess(child: ChildProcess, signal: NodeJS.Signals, patienceMs = 20_000): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
  await ended
  clearTimeout(timer)
}

/** Resolves when the child has ended, with its exit code or signal. */
export async function untilEnded(child: ChildProcess): Promise<string> {
  if (!hasEnded(child)) await once(child, 'exit')
  return child.signalCode === null ? `exit code ${child.exitCode}` : `signal ${child.signalCode}`
}

/** Like `stopProcess`, for a process that is not a child. */
export async function stopPid(pid: number, signal: NodeJS.Signals, patienceMs = 20_000): Promise<void> {
  const deadline = Date.now() + patienceMs
  if (!sendSignal(pid, signal)) return
  while (Date.now() < deadline) {
    if (!isAlive(pid)) return
    await wait(40)
  }
  sendSignal(pid, 'SIGKILL')
  while (isAlive(pid)) await wait(40)
}

/** Like `untilEnded`, for a process that is not a child: how it ended is not known. */
export async function untilPidEnded(pid: number): Promise<string> {
  while (isAlive(pid)) await wait(200, undefined, { ref: false })
  return 'it was no child of this launcher'
}

/** True if the process runs. A zombie does not, unless other threads of it still run, and keep its port. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  return !isZombie(pid)
}

/** Field 20 of the file, of which 2 come before these: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html (2026-11-26) */
const NUM_THREADS = 17

function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' && Number(fields[NUM_THREADS]) <= 1
  } catch {
    // Without /proc, a process that accepts signal 0 counts as running.
    return false
  }
}

export async function canConnect(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    // Not listening yet: the caller retries until its deadline.
    return false
  } finally {
    socket.destroy()
  }
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal)
    return true
  } catch {
    // Already ended, as intended.
    return false
  }
}
