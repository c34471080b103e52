import type { Tx } from '@tollgate/db/connect'
import { rebuildAbilities } from '@tollgate/db/queries/abilities'
import { listRoutedChannels } from '@tollgate/db/queries/channels'
import { raiseSnapshotVersion } from '@tollgate/db/queries/snapshot'
import type { Deps } from '../../deps.ts'
import { publishAfter } from '../../internal/snapshot-publisher.ts'

/**
 * Changes channels in one transaction: `change` returns the affected ids, their abilities are rebuilt, and the snapshot is published
 * after commit. Returns those ids.
 */
export async function changeChannels(deps: Deps, change: (tx: Tx) => Promise<readonly number[]>): Promise<readonly number[]> {
  const { ids, version } = await deps.db.transaction().execute(async (tx) => {
    const changed = await change(tx)
    if (changed.length === 0) return { ids: changed, version: 0 }
    await rebuildAbilities(tx, await listRoutedChannels(tx, changed))
    return { ids: changed, version: await raiseSnapshotVersion(tx) }
  })
  if (ids.length > 0) await publishAfter(deps, { version, channels: ids })
  return ids
}
