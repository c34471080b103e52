import { serveApp, type RunningServer } from '@tollgate/http/server'
import type { Telemetry } from '@tollgate/telemetry/otel'
import type { Deps } from '../deps.ts'
import { createInternalApp } from './internal-app.ts'
import { startOutboxLoop, startOutboxUpkeep } from './ledger-sync.ts'
import { repairSnapshot, startSnapshotRepair } from './snapshot-publisher.ts'

export type Internals = { readonly server: RunningServer; stop(deadlineMs: number, graceMs: number): Promise<void> }

/** Starts everything that relays need: first publication, repair loop, outbox loop and the internal port. */
export async function startInternals(deps: Deps, telemetry: Telemetry): Promise<Internals> {
  try {
    await repairSnapshot(deps)
  } catch (error) {
    deps.log.warn({ err: error }, 'snapshot not published at startup; the repair loop publishes it')
  }
  let open = 0
  telemetry.metrics.gauge(
    'tollgate_outbox_open',
    { description: 'Changes of users and tokens that are not synced to Redis yet' },
    () => open,
  )
  const loops = [startSnapshotRepair(deps), startOutboxLoop(deps, { onOpen: (rows) => (open = rows) }), startOutboxUpkeep(deps)]
  const server = await serveApp({ app: createInternalApp(deps, telemetry), host: deps.env.INTERNAL_HOST, port: deps.env.INTERNAL_PORT })
  return {
    server,
    stop: async (deadlineMs, graceMs) => {
      await Promise.all([server.stop(deadlineMs, graceMs), ...loops.map((loop) => loop.stop())])
    },
  }
}
