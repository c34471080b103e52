import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import type { Logger } from '@tollgate/telemetry/logger'

const RESTART_MS = 500
/** Message to a process that is replaced: it drains, and /readyz stays green for the other processes on its port. */
export const REPLACED = 'replaced'

/**
 * Keeps this many relay processes on one port. A stop signal is forwarded, and the parent ends with the last process. SIGHUP replaces
 * the processes one by one: each new one listens before the old one drains, so the port is always served.
 */
export function superviseProcesses(count: number, log: Logger): void {
  const supervisor = createSupervisor(log)
  for (let at = 0; at < count; at += 1) supervisor.spawn()
  let renewal: Promise<void> | undefined
  process.on('SIGHUP', () => {
    renewal ??= supervisor.renew().finally(() => (renewal = undefined))
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => supervisor.stop(signal))
}

function createSupervisor(log: Logger) {
  const slots = new Map<Worker, number>()
  const replaced = new Set<Worker>()
  let isStopping = false
  const spawn = (): Worker => {
    const taken = new Set(slots.values())
    let slot = 0
    while (taken.has(slot)) slot += 1
    const worker = cluster.fork({ RELAY_PROCESS_SLOT: String(slot) })
    slots.set(worker, slot)
    return worker
  }
  cluster.on('exit', (worker, code, signal) => {
    slots.delete(worker)
    if (isStopping) {
      if (slots.size === 0) process.exit(0)
      return
    }
    if (replaced.delete(worker)) return
    log.error({ pid: worker.process.pid, exit_code: code, signal }, 'Relay process died; starting another')
    setTimeout(() => {
      if (!isStopping) spawn()
    }, RESTART_MS)
  })
  const replace = async (old: Worker): Promise<boolean> => {
    // From here on neither exit triggers a restart. If the new process cannot start, the old one keeps running.
    const next = spawn()
    replaced.add(next).add(old)
    const hasStarted = await hasStartedListening(next)
    if (isStopping) return false
    if (!hasStarted) {
      replaced.delete(old)
      if (old.isDead()) spawn()
      return false
    }
    replaced.delete(next)
    if (!old.isDead()) await drainAndExit(old)
    return true
  }
  return {
    spawn,
    renew: async (): Promise<void> => {
      const all = slots.keys().toArray()
      for (const old of all) {
        if (!slots.has(old)) continue
        if (!(await replace(old))) {
          log.error({}, 'Replacement relay process did not start; the old processes keep running')
          return
        }
        log.info({ pid: old.process.pid }, 'Relay process replaced')
      }
    },
    stop: (signal: NodeJS.Signals): void => {
      isStopping = true
      if (slots.size === 0) process.exit(0)
      for (const worker of slots.keys()) worker.process.kill(signal)
    },
  }
}

/** Resolves with whether a new process listens, or false when it exits first. */
function hasStartedListening(worker: Worker): Promise<boolean> {
  return Promise.race([once(worker, 'listening').then(() => true), once(worker, 'exit').then(() => false)])
}

async function drainAndExit(worker: Worker): Promise<void> {
  const exited = once(worker, 'exit')
  worker.send(REPLACED)
  await exited
}
