import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

export type LocalServer = {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Asks it to stop and waits until it has. */
  stop(): Promise<void>
}

type DetachedOptions = {
  readonly command: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly user?: { readonly uid: number; readonly gid: number }
  /** Its output goes straight to this file, so that it outlives a launcher that was killed; else the last lines are kept in memory. */
  readonly logFile?: string | undefined
}

/** Starts a program in a process group of its own: a terminal's Ctrl-C reaches the launcher only, which then stops things in order. */
export function spawnDetached({ command, args, env, cwd, user, logFile }: DetachedOptions): ChildProcess {
  if (logFile === undefined) return spawn(command, args, { ...user, env, cwd, detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  mkdirSync(dirname(logFile), { recursive: true })
  const log = openSync(logFile, 'a', 0o600)
  const child = spawn(command, args, { ...user, env, cwd, detached: true, stdio: ['ignore', log, log] })
  closeSync(log)
  return child
}

/** The last 2 000 characters of what the child said. */
export function tailOf(child: ChildProcess, logFile?: string): () => Promise<string> {
  let tail = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    tail = (tail + chunk.toString()).slice(-2000)
  })
  return async () => (logFile === undefined ? tail : (await readFile(logFile, 'utf8')).slice(-2000)).trim()
}

/** Waits until the child accepts connections; when it ends first or takes 30 s, it is killed and `reason` becomes the error. */
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

/** Asks a child to end, waits, and kills it when it has not ended after `patienceMs`. */
export async function stopProcess(child: ChildProcess, signal: NodeJS.Signals, patienceMs = 20_000): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
  await ended
  clearTimeout(timer)
}

/** The same for a process that is not our child, known by its id only. */
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

/** Whether the process runs. One that has ended but was not yet collected by its parent does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  return !isZombie(pid)
}

function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z')
  } catch {
    // No /proc on this system: there, a process that answers to signal 0 is taken as running.
    return false
  }
}

export async function canConnect(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    // Not up yet: the caller asks again until its deadline.
    return false
  } finally {
    socket.destroy()
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal)
    return true
  } catch {
    // Already gone: what the caller wanted.
    return false
  }
}
