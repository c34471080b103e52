import { decodeOption, defaultText } from '@tollgate/contracts/options/registry'
import { PRICE_OPTIONS, type PriceChange, type PriceOption } from '@tollgate/contracts/resources/prices'
import { createAuditEntries } from '@tollgate/db/queries/audit'
import type { Tx } from '@tollgate/db/connect'
import { findOption, lockOption, saveOption } from '@tollgate/db/queries/options'
import { finishPriceChange, lockDuePriceChange } from '@tollgate/db/queries/price-changes'
import { recordPriceHistory } from '@tollgate/db/queries/price-history'
import { raiseSnapshotVersion } from '@tollgate/db/queries/snapshot'
import { entryChanges, patchedText } from '@tollgate/domain/pricing/price-patch'
import type { Handler } from '@tollgate/jobs/jobs'
import type { Logger } from '@tollgate/telemetry/logger'
import type { Deps } from '../deps.ts'

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

type Due = NonNullable<Awaited<ReturnType<typeof lockDuePriceChange>>>

async function applyNext({ now, log }: ApplyDeps, tx: Tx): Promise<'applied' | 'failed' | undefined> {
  const finished_at = Math.floor(now() / 1000)
  const due = await lockDuePriceChange(tx, finished_at)
  if (due === undefined) return undefined
  const texts = await textsAfter(tx, due)
  const refused = texts.find(({ key, after }) => decodeOption(key, after).kind === 'refused')
  if (refused !== undefined) {
    log.error({ detail: `change ${due.id}, ${refused.key}` }, 'Scheduled price change refused')
    await finishPriceChange(tx, due.id, { state: 'failed', finished_at, message: refused.key })
    return 'failed'
  }
  for (const { key, after } of texts)
    await saveOption(tx, { key, value: after, is_sealed: false, updated_at: finished_at, updated_by: due.creator_id })
  for (const { key, before, after } of texts)
    await recordPriceHistory(tx, { at: finished_at, option: key, cause: 'schedule', by_name: due.created_by }, entryChanges(before, after))
  await createAuditEntries(
    tx,
    texts.map(({ key, entries }) => auditEntry(due, { key, entries, now: finished_at })),
  )
  const price_version = await raiseSnapshotVersion(tx)
  await finishPriceChange(tx, due.id, { state: 'applied', finished_at, price_version })
  log.info({ detail: `change ${due.id}`, version: price_version }, 'Scheduled price change applied')
  return 'applied'
}

type Patched = {
  readonly key: PriceOption
  readonly entries: Readonly<Record<string, unknown>>
  readonly before: string
  readonly after: string
}

/** The texts of the patched options, each locked until the transaction ends. */
async function textsAfter(tx: Tx, { patch }: Pick<PriceChange, 'patch'>): Promise<Patched[]> {
  const texts: Patched[] = []
  // One order for all: two transactions that lock several options cannot wait for each other.
  for (const key of PRICE_OPTIONS.toSorted()) {
    const entries = patch[key]
    if (entries === undefined) continue
    await lockOption(tx, key)
    const stored = (await findOption(tx, key))?.value
    const before = stored !== undefined && decodeOption(key, stored).kind === 'ok' ? stored : defaultText(key)
    texts.push({ key, entries, before, after: patchedText(before, entries) })
  }
  return texts
}

const MAX_SHOWN = 500

function auditEntry(due: Due, { key, entries, now }: Pick<Patched, 'key' | 'entries'> & { readonly now: number }) {
  const text = JSON.stringify(entries)
  return {
    actor_id: due.creator_id,
    actor_name: due.created_by,
    actor_role: due.creator_role,
    ip: due.ip,
    action: 'update',
    resource: 'option' as const,
    resource_id: key,
    changes: [
      { field: 'scheduled', after: String(due.id) },
      { field: 'value', after: text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).toWellFormed()}…` : text },
    ],
    now,
  }
}
