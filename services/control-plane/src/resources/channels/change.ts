import type { Tx } from '@tollgate/db/connect'
import { rebuildAbilities } from '@tollgate/db/queries/abilities'
import { listRoutedChannels } from '@tollgate/db/queries/channels'
import { raiseSnapshotVersion } from '@tollgate/db/queries/snapshot'
import type { Deps } from '../../deps.ts'
import { publishAfter } from '../../internal/snapshot-publisher.ts'

/**
 * One change of channels in one transaction: `change` answers which ids it touched, their abilities are written anew, and relays
 * hear of them after commit. Returns those ids.
 */
export async function changeChannels(deps: Deps, change: (tx: Tx) => Promise<readonly number[]>): Promise<readonly number[]> {
  const { ids, version } = await deps.db.transaction().execute(async (tx) => {
    const touched = await change(tx)
    if (touched.length === 0) return { ids: touched, version: 0 }
    await rebuildAbilities(tx, await listRoutedChannels(tx, touched))
    return { ids: touched, version: await raiseSnapshotVersion(tx) }
  })
  if (ids.length > 0) await publishAfter(deps, { version, channels: ids })
  return ids
}
