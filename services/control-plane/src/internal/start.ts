import { serveApp, type RunningServer } from '@tollgate/http/server'
import type { Telemetry } from '@tollgate/telemetry/otel'
import type { Deps } from '../deps.ts'
import { createInternalApp } from './internal-app.ts'
import { startOutboxLoop, startOutboxUpkeep } from './ledger-sync.ts'
import { repairSnapshot, startSnapshotRepair } from './snapshot-publisher.ts'

export type Internals = { readonly server: RunningServer; stop(deadlineMs: number, graceMs: number): Promise<void> }

/** Everything the control plane does for relays: first publication, repair, outbox, and the port they ask. */
export async function startInternals(deps: Deps, telemetry: Telemetry): Promise<Internals> {
  try {
    await repairSnapshot(deps)
  } catch (error) {
    deps.log.warn({ err: error }, 'the snapshot could not be published at start, the repair loop will')
  }
  let open = 0
  telemetry.metrics.gauge('tollgate_outbox_open', { description: 'Changes of users and tokens that Redis has not heard of' }, () => open)
  const loops = [startSnapshotRepair(deps), startOutboxLoop(deps, { onOpen: (rows) => (open = rows) }), startOutboxUpkeep(deps)]
  const server = await serveApp({ app: createInternalApp(deps, telemetry), host: deps.env.INTERNAL_HOST, port: deps.env.INTERNAL_PORT })
  return {
    server,
    stop: async (deadlineMs, graceMs) => {
      await Promise.all([server.stop(deadlineMs, graceMs), ...loops.map((loop) => loop.stop())])
    },
  }
}
