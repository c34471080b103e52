import type { ModelsChange } from '@tollgate/contracts/resources/channels'
import { toList } from '@tollgate/db/queries/channels/abilities'
import { lockChannels, updateChannels } from '@tollgate/db/queries/channels/channels'
import type { By } from '../../audit.ts'
import type { Deps } from '../../deps.ts'
import type { Publication } from '../../internal/snapshot-publisher.ts'
import { auditedFields } from './audited.ts'
import { changeChannels } from './change.ts'
import { checkModels } from './fields.ts'

/** Adds and removes models, each channel its own, in one transaction. Channels that stay as they are do not count. */
export async function applyModels(
  deps: Deps,
  by: By,
  changes: readonly ModelsChange[],
): Promise<{ count: number; publication: Publication }> {
  const wanted = new Map(changes.map((change) => [change.id, change]))
  const { ids, publication } = await changeChannels(deps, by, async (tx) => {
    const edits = (await lockChannels(tx, [...wanted.keys()])).flatMap(({ id, models: before }) => {
      const models = edited(before, wanted.get(id))
      return models === before ? [] : [{ id, models, changes: auditedFields({ models: before }, { models }) }]
    })
    for (const { models } of edits) checkModels(models)
    for (const { id, models } of edits) await updateChannels(tx, { ids: [id], patch: { models } })
    return edits.map(({ id, changes: audited }) => ({ id, action: 'update' as const, changes: audited }))
  })
  return { count: ids.length, publication }
}

function edited(text: string, { add = [], remove = [] }: Partial<ModelsChange> = {}): string {
  const gone = new Set(remove)
  return [...new Set([...toList(text), ...add.flatMap(toList)])].filter((name) => !gone.has(name)).join(',')
}
