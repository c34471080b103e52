import { decodeOption, defaultText } from '@tollgate/contracts/options/registry'
import { PRICE_OPTIONS, type PriceCause, type PriceOption, type PricePatch } from '@tollgate/contracts/resources/prices'
import type { UnixSeconds } from '@tollgate/contracts/units'
import { createAuditEntries } from '@tollgate/db/queries/installation/audit'
import type { Tx } from '@tollgate/db/connect'
import { findOption, lockOption, saveOption } from '@tollgate/db/queries/installation/options'
import { recordPriceHistory } from '@tollgate/db/queries/prices/price-history'
import { raiseSnapshotVersion } from '@tollgate/db/queries/installation/snapshot'
import { entryChanges, patchedText } from '@tollgate/domain/pricing/price-patch'

type Origin = {
  readonly by: { readonly actor_id: number; readonly actor_name: string; readonly actor_role: number; readonly ip: string }
  readonly origin: { readonly at: UnixSeconds; readonly cause: PriceCause; readonly by_name: string }
  /** The id of the scheduled change. */
  readonly scheduled?: number
}

/**
 * Stores the entries of a patch with audit entries, history and a new price version, all in this transaction. A patch that would leave an
 * option without a valid value is refused as a whole, before anything is stored.
 */
export async function storePatch(
  tx: Tx,
  patch: PricePatch,
  { by, origin, scheduled }: Origin,
): Promise<{ readonly price_version: number } | { readonly refused: PriceOption }> {
  const texts = await textsAfter(tx, patch)
  const refused = texts.find(({ key, after }) => decodeOption(key, after).kind === 'refused')
  if (refused !== undefined) return { refused: refused.key }
  const { at } = origin
  for (const { key, before, after } of texts) {
    await saveOption(tx, { key, value: after, is_sealed: false, updated_at: at, updated_by: by.actor_id })
    await recordPriceHistory(tx, { ...origin, option: key }, entryChanges(before, after))
  }
  const note = scheduled === undefined ? [] : [{ field: 'scheduled', after: String(scheduled) }]
  await createAuditEntries(
    tx,
    texts.map(({ key, entries }) => ({
      ...by,
      action: 'update',
      resource: 'option' as const,
      resource_id: key,
      changes: [...note, { field: 'value', after: shownText(entries) }],
      now: at,
    })),
  )
  return { price_version: await raiseSnapshotVersion(tx) }
}

type Patched = {
  readonly key: PriceOption
  readonly entries: Readonly<Record<string, unknown>>
  readonly before: string
  readonly after: string
}

/** The texts of the patched options, each locked until the transaction ends. */
async function textsAfter(tx: Tx, patch: PricePatch): Promise<Patched[]> {
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

function shownText(entries: Patched['entries']): string {
  const text = JSON.stringify(entries)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).toWellFormed()}…` : text
}
