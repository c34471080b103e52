import cluster from 'node:cluster'
import type { Logger } from '@tollgate/telemetry/logger'

const RESTART_MS = 500

/** Keeps this many relay processes on one port; a signal is passed on, and the last one to leave ends the parent. */
export function superviseProcesses(count: number, log: Logger): void {
  let isStopping = false
  for (let at = 0; at < count; at += 1) cluster.fork()
  cluster.on('exit', (worker, code, signal) => {
    if (isStopping) {
      if (Object.keys(cluster.workers ?? {}).length === 0) process.exit(0)
      return
    }
    log.error({ pid: worker.process.pid, exit_code: code, signal }, 'a relay process died; another one is started')
    setTimeout(() => {
      if (!isStopping) cluster.fork()
    }, RESTART_MS)
  })
  const stop = (signal: NodeJS.Signals) => {
    isStopping = true
    const alive = Object.values(cluster.workers ?? {})
    if (alive.length === 0) process.exit(0)
    for (const worker of alive) worker?.process.kill(signal)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal))
}
