import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import type { Logger } from '@tollgate/telemetry/logger'

const RESTART_MS = 500
/** Message to a process that others replace: it drains, and /readyz goes on speaking for those. */
export const LEAVE = 'leave'

/**
 * Keeps this many relay processes on one port. A signal to stop is passed on, and the last one to leave ends the parent. SIGHUP
 * replaces them one by one: the new one listens before the old one is asked to leave, and the port is ours all the time.
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
    log.error({ pid: worker.process.pid, exit_code: code, signal }, 'a relay process died; another one is started')
    setTimeout(() => {
      if (!isStopping) spawn()
    }, RESTART_MS)
  })
  const replace = async (old: Worker): Promise<boolean> => {
    // Whichever of the two ends from here on is not missed; one that cannot start is no reason to give up one that works.
    const next = spawn()
    replaced.add(next).add(old)
    const hasStarted = await listens(next)
    if (isStopping) return false
    if (!hasStarted) {
      replaced.delete(old)
      if (old.isDead()) spawn()
      return false
    }
    replaced.delete(next)
    if (!old.isDead()) await sendAway(old)
    return true
  }
  return {
    spawn,
    renew: async (): Promise<void> => {
      const all = slots.keys().toArray()
      for (const old of all) {
        if (!slots.has(old)) continue
        if (!(await replace(old))) {
          log.error({}, 'a new relay process did not start; the others stay')
          return
        }
        log.info({ pid: old.process.pid }, 'a relay process was replaced')
      }
    },
    stop: (signal: NodeJS.Signals): void => {
      isStopping = true
      if (slots.size === 0) process.exit(0)
      for (const worker of slots.keys()) worker.process.kill(signal)
    },
  }
}

/** Whether a new process came to listen, or ended before. */
function listens(worker: Worker): Promise<boolean> {
  return Promise.race([once(worker, 'listening').then(() => true), once(worker, 'exit').then(() => false)])
}

async function sendAway(worker: Worker): Promise<void> {
  const left = once(worker, 'exit')
  worker.send(LEAVE)
  await left
}
