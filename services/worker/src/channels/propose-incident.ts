import { readOption, type OptionKey, type OptionValues } from '@tollgate/contracts/options/registry'
import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Tx } from '@tollgate/db/connect'
import { listOptions } from '@tollgate/db/queries/installation/options'
import { listUnservedModels, addProposal } from '@tollgate/db/queries/installation/status-incidents'
import { createGroupOf } from '@tollgate/domain/status-page/model-groups'
import { makerOf } from '@tollgate/providers/catalogue/maker-of'

type Disabled = { readonly id: number; readonly name: string; readonly reason: string; readonly now: UnixSeconds }

/**
 * Proposes an incident for the public status page when models lost their last channel with this one. An administrator reviews it: the cause
 * names the channel, so nothing of it is public before someone wrote a title.
 */
export async function proposeIncident(tx: Tx, { id, name, reason, now }: Disabled): Promise<void> {
  const stored = new Map((await listOptions(tx)).map(({ key, value }) => [key, value]))
  const option = <K extends OptionKey>(key: K): OptionValues[K] => readOption(key, stored.get(key))
  if (!option('StatusPageEnabled')) return
  const models = await listUnservedModels(tx, id)
  if (models.length === 0) return
  const groupOf = createGroupOf({ groups: option('StatusPageGroups'), byMaker: option('StatusPageShowMakers'), makerOf })
  const groups = [...new Set(models.map(groupOf).filter((group) => group !== undefined))]
  if (groups.length === 0) return
  const cause = [`#${id} ${name}`, reason, models.join(', ')].filter((part) => part !== '').join('\n')
  await addProposal(tx, { channel_id: id, cause: cause.slice(0, MAX_CAUSE), groups, now })
}

const MAX_CAUSE = 2000
