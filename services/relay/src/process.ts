import { setTimeout as wait } from 'node:timers/promises'
import type { RelayEnv } from '@tollgate/config/env'
import { createLogger } from '@tollgate/telemetry/logger'
import { watchEventLoop } from '@tollgate/telemetry/watchdog/watchdog'
import { startTelemetry } from '@tollgate/telemetry/otel'
import { createDeps } from './create-deps.ts'
import type { RelayDeps } from './deps.ts'
import { Supervised } from './processes/supervised.ts'
import { startServer } from './server.ts'

/** Runs one relay process: builds everything once and takes it down in order on SIGTERM. */
export async function runProcess(env: RelayEnv): Promise<void> {
  const supervised = env.RELAY_PROCESS_SLOT === undefined ? undefined : new Supervised()
  const log = createLogger({ service: 'relay', level: env.LOG_LEVEL })
  const telemetry = await startTelemetry({ service: 'relay', env, instance: env.RELAY_PROCESS_SLOT ?? 0 })
  const deps = await createDeps({ env, log, telemetry })
  const known = deps.snapshots
    .start(SNAPSHOT_WAIT_MS)
    .catch((err: unknown) => log.error({ err }, 'No configuration snapshot; relay is not ready'))
  // Processes that share a port share their readiness, so a process must not accept requests before it has a snapshot.
  await Promise.race([known, wait(LISTEN_AFTER_MS, undefined, { ref: false })])
  const server = await startServer(deps, { isPortShared: supervised !== undefined, listener: await supervised?.untilListen() })
  log.info({ port: server.port }, 'Relay listening')
  watchEventLoop('relay', env.EVENT_LOOP_TIMEOUT)
  let isStopping = false
  const stop = async (reason: NodeJS.Signals | 'replaced' | 'supervisor died') => {
    if (isStopping) return
    isStopping = true
    log.info({ reason }, 'Relay draining')
    const isReplaced = reason === 'replaced'
    const { left } = await server.drain(env.DRAIN_DEADLINE * 1000, { graceMs: env.DRAIN_GRACE * 1000, isReplaced })
    if (left > 0) log.warn({ count: left }, 'Settlements kept on disk for the next start')
    await deps.close()
    await telemetry.stop()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))
  void replay(deps)
  supervised?.serve({
    listener: () => server.listener(),
    onReplaced: () => void stop('replaced'),
    onOrphaned: () => {
      // No supervisor is left that would end a process whose drain does not finish, for example without Redis.
      setTimeout(() => process.exit(1), (2 * env.DRAIN_GRACE + env.DRAIN_DEADLINE) * 1000 + ORPHAN_MS).unref()
      void stop('supervisor died')
    },
  })
}

/** Not waited for: a part of the ledger that is away would keep this process from being stopped in order. */
async function replay({ settleQueue, log }: RelayDeps): Promise<void> {
  try {
    const count = await settleQueue.replay()
    if (count > 0) log.info({ count }, 'Settlements of an earlier process were replayed')
  } catch (err) {
    log.error({ err }, 'Settlements of an earlier process could not be read')
  }
}

/** For what an orphan does after its drain: it settles and closes connections. */
const ORPHAN_MS = 10_000
const SNAPSHOT_WAIT_MS = 600_000
/** After this time without a snapshot the relay listens anyway, so that /readyz can report what is missing. */
const LISTEN_AFTER_MS = 3000
