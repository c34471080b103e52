import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { inheritedEnv } from '@tollgate/config/env'
import type { Logger } from '@tollgate/telemetry/logger'
import { ignore, letListen } from './hand-over.ts'
import { LISTENING, READY, REPLACED } from './messages.ts'

const RESTART_MS = 500

/** True if the kernel spreads connections over sockets with SO_REUSEPORT. */
export const canSharePort = process.platform === 'linux' || process.platform === 'freebsd'

type Address = { readonly host: string; readonly port: number }

/**
 * Keeps this many relay processes on one port. Each has a listening socket of its own (SO_REUSEPORT, ADR 31), so that the kernel closes
 * all connections of a process that dies. A stop signal is forwarded, and the parent ends with the last process. SIGHUP replaces the
 * processes one by one.
 */
export async function superviseProcesses(count: number, address: Address, log: Logger): Promise<void> {
  const supervisor = new Supervisor(await findPort(address), log)
  for (let at = 0; at < count; at += 1) supervisor.spawn()
  let renewal: Promise<void> | undefined
  process.on('SIGHUP', () => {
    renewal ??= supervisor.renew().finally(() => (renewal = undefined))
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => supervisor.stop(signal))
}

/** Fails if another program listens on the port, which sockets with SO_REUSEPORT would share with it. Port 0 becomes a free port. */
async function findPort({ host, port }: Address): Promise<number> {
  const probe = createServer().listen({ host, port })
  await once(probe, 'listening')
  const found = (probe.address() as AddressInfo).port // not a pipe
  probe.close()
  await once(probe, 'close')
  return found
}

class Supervisor {
  readonly #port: number
  readonly #log: Logger
  readonly #slots = new Map<ChildProcess, number>()
  readonly #replaced = new Set<ChildProcess>()
  #isStopping = false

  constructor(port: number, log: Logger) {
    this.#port = port
    this.#log = log
  }

  /** Starts a process, which takes over the socket of its predecessor once it is ready. */
  spawn(predecessor?: ChildProcess): ChildProcess {
    const slot = this.#findSlot()
    const env = inheritedEnv({ RELAY_PORT: String(this.#port), RELAY_PROCESS_SLOT: String(slot) })
    const child = fork(process.argv[1] ?? '', [], { env })
    this.#slots.set(child, slot)
    child.on('message', (message) => {
      if (message === READY) void letListen(child, predecessor)
    })
    child.on('error', (err) => this.#log.error({ err, pid: child.pid }, 'Relay process cannot be reached'))
    child.on('exit', (code, signal) => this.#onExit(child, code, signal))
    return child
  }

  /** Replaces the processes one by one; stops at the first one whose successor does not start. */
  async renew(): Promise<void> {
    const all = this.#slots.keys().toArray()
    for (const old of all) {
      if (!this.#slots.has(old)) continue
      if (!(await this.#replace(old))) {
        this.#log.error({}, 'Replacement relay process did not start; the old processes keep running')
        return
      }
      this.#log.info({ pid: old.pid }, 'Relay process replaced')
    }
  }

  stop(signal: NodeJS.Signals): void {
    this.#isStopping = true
    if (this.#slots.size === 0) process.exit(0)
    for (const child of this.#slots.keys()) child.kill(signal)
  }

  #findSlot(): number {
    const taken = new Set(this.#slots.values())
    let slot = 0
    while (taken.has(slot)) slot += 1
    return slot
  }

  async #replace(old: ChildProcess): Promise<boolean> {
    // From here on neither exit triggers a restart. If the new process cannot start, the old one keeps running.
    const next = this.spawn(old)
    this.#replaced.add(next).add(old)
    const hasStarted = await hasStartedListening(next)
    if (this.#isStopping) return false
    if (!hasStarted) {
      this.#replaced.delete(old)
      if (isDead(old)) this.spawn()
      return false
    }
    this.#replaced.delete(next)
    if (!isDead(old)) await drainAndExit(old)
    return true
  }

  #onExit(child: ChildProcess, exit_code: number | null, signal: NodeJS.Signals | null): void {
    this.#slots.delete(child)
    if (this.#isStopping) {
      if (this.#slots.size === 0) process.exit(0)
      return
    }
    if (this.#replaced.delete(child)) return
    this.#log.error({ pid: child.pid, exit_code, signal }, 'Relay process died; starting another')
    setTimeout(() => {
      if (!this.#isStopping) this.spawn()
    }, RESTART_MS)
  }
}

const isDead = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

/** Resolves with whether a new process listens, or false when it exits first. */
function hasStartedListening(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    child.on('message', (message) => {
      if (message === LISTENING) resolve(true)
    })
    child.once('exit', () => resolve(false))
  })
}

async function drainAndExit(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.send(REPLACED, ignore)
  await exited
}
