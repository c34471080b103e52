import { ownValue } from '@tollgate/contracts/values/own-value'
import { toList } from '@tollgate/db/queries/channels/abilities'
import { listRoutedChannels, lockChannels, updateChannels, type RoutedChannelRow } from '@tollgate/db/queries/channels/channels'
import type { By } from '../../audit.ts'
import type { Deps } from '../../deps.ts'
import { auditedFields } from './audited.ts'
import { changeChannels, type ChangedChannels } from './change.ts'
import { checkMapping } from './fields.ts'

type Mapping = { readonly from: string; readonly to: string }

/** Sends requests for a model as requests for another, in every channel that has the model and does not map it already. */
export async function mapModel(deps: Deps, by: By, { from, to }: Mapping): Promise<ChangedChannels> {
  return await changeChannels(deps, by, async (tx) => {
    const serving = (await listRoutedChannels(tx)).filter((row) => mapsTo(row, { from, to }) !== undefined)
    const rows = await lockChannels(
      tx,
      serving.map(({ id }) => id),
    )
    const edits = rows.flatMap((row) => {
      const model_mapping = mapsTo(row, { from, to })
      return model_mapping === undefined ? [] : [{ row, patch: { model_mapping } }]
    })
    for (const { row, patch } of edits) await updateChannels(tx, { ids: [row.id], patch })
    return edits.map(({ row, patch }) => ({ id: row.id, action: 'update' as const, changes: auditedFields(row, patch) }))
  })
}

/** The mapping with the model in it; undefined: the channel does not have the model, or maps it. */
function mapsTo({ models, model_mapping }: Pick<RoutedChannelRow, 'models' | 'model_mapping'>, { from, to }: Mapping): string | undefined {
  // A mapping is checked when it is saved.
  const mapping = (model_mapping ?? '').trim() === '' ? {} : (JSON.parse(model_mapping ?? '') as Record<string, unknown>)
  if (!toList(models).includes(from) || ownValue(mapping, from) !== undefined) return undefined
  return checkMapping(JSON.stringify({ ...mapping, [from]: to }, null, 2))
}
