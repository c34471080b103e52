import type { Tx } from '@tollgate/db/connect'
import { finishPriceChange, lockDuePriceChange } from '@tollgate/db/queries/prices/price-changes'
import type { Handler } from '@tollgate/jobs/jobs'
import type { Logger } from '@tollgate/telemetry/logger'
import type { Deps } from '../deps.ts'
import { storePatch } from './store-price-patch.ts'

type ApplyDeps = Pick<Deps, 'db' | 'now'> & { readonly log: Pick<Logger, 'info' | 'error'> }

/**
 * Exactly once: options, audit entries, the raised version and the end of the change are one transaction. Relays get the prices with the
 * snapshot that the control plane publishes for that version.
 */
export const applyPriceChanges =
  (deps: ApplyDeps): Handler<'apply-price-changes'> =>
  async (_payload, { signal }) => {
    const counts = { applied: 0, failed: 0 }
    while (!signal.aborted) {
      const outcome = await deps.db.transaction().execute((tx) => applyNext(deps, tx))
      if (outcome === undefined) return counts
      counts[outcome] += 1
    }
    return counts
  }

async function applyNext({ now, log }: ApplyDeps, tx: Tx): Promise<'applied' | 'failed' | undefined> {
  const finished_at = Math.floor(now() / 1000)
  const due = await lockDuePriceChange(tx, finished_at)
  if (due === undefined) return undefined
  const by = { actor_id: due.creator_id, actor_name: due.created_by, actor_role: due.creator_role, ip: due.ip }
  const origin = { at: finished_at, cause: 'schedule' as const, by_name: due.created_by }
  const stored = await storePatch(tx, due.patch, { by, origin, scheduled: due.id })
  if ('refused' in stored) {
    log.error({ detail: `change ${due.id}, ${stored.refused}` }, 'Scheduled price change refused')
    await finishPriceChange(tx, due.id, { state: 'failed', finished_at, message: stored.refused })
    return 'failed'
  }
  const { price_version } = stored
  await finishPriceChange(tx, due.id, { state: 'applied', finished_at, price_version })
  log.info({ detail: `change ${due.id}`, version: price_version }, 'Scheduled price change applied')
  return 'applied'
}
