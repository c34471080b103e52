import type { AuditChange } from '@tollgate/contracts/resources/audit'
import type { Tx } from '@tollgate/db/connect'
import { rebuildAbilities } from '@tollgate/db/queries/channels/abilities'
import { listRoutedChannels } from '@tollgate/db/queries/channels/channels'
import { raiseSnapshotVersion } from '@tollgate/db/queries/installation/snapshot'
import { recordAudit, type By } from '../../audit.ts'
import type { Deps } from '../../deps.ts'
import { publishAfter, type Publication } from '../../internal/snapshot-publisher.ts'

/** A change of one channel, as the audit log shows it. */
export type ChannelEdit = {
  readonly id: number
  readonly action: 'create' | 'copy' | 'update' | 'delete'
  readonly changes: readonly AuditChange[]
}
export type ChangedChannels = { readonly ids: readonly number[]; readonly publication: Publication }

/**
 * Changes channels in one transaction: `change` returns what it changed; their abilities are rebuilt, the audit log gets an entry for
 * each, and the snapshot is published after commit.
 */
export async function changeChannels(deps: Deps, by: By, change: (tx: Tx) => Promise<readonly ChannelEdit[]>): Promise<ChangedChannels> {
  const { ids, version } = await deps.db.transaction().execute(async (tx) => {
    const edits = await change(tx)
    const changed = edits.map(({ id }) => id)
    if (changed.length === 0) return { ids: changed, version: 0 }
    await completeEdits(deps, tx, by, edits)
    return { ids: changed, version: await raiseSnapshotVersion(tx) }
  })
  return { ids, publication: ids.length === 0 ? 'published' : await publishAfter(deps, { version, channels: ids }) }
}

/** Rebuilds the abilities of changed channels and adds their audit entries, in the transaction of the change. */
export async function completeEdits(deps: Deps, tx: Tx, by: By, edits: readonly ChannelEdit[]): Promise<void> {
  const ids = [...new Set(edits.map(({ id }) => id))]
  await rebuildAbilities(tx, await listRoutedChannels(tx, ids))
  await recordAudit(
    deps,
    tx,
    by,
    edits.map(({ id, action, changes }) => ({ action, resource: 'channel', resource_id: id, changes })),
  )
}
