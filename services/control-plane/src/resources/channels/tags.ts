import { AppError } from '@tollgate/contracts/app-error'
import { ChannelStatus } from '@tollgate/contracts/enums'
import type { TagChange } from '@tollgate/contracts/resources/channels'
import { rebuildAbilities } from '@tollgate/db/queries/abilities'
import { listRoutedChannels, lockChannels, lockChannelsOfTag, updateChannels, type ChannelPatch } from '@tollgate/db/queries/channels'
import type { Deps } from '../../deps.ts'
import { changeChannels } from './change.ts'
import { checkMapping, checkModels, toGroups } from './fields.ts'

/** Sets the tag of these channels; a blank tag removes it. */
export async function tagChannels(deps: Deps, ids: readonly number[], tag: string): Promise<number> {
  await changeChannels(deps, async (tx) => {
    const found = await lockChannels(tx, ids)
    const known = found.map((row) => row.id)
    await updateChannels(tx, { ids: known, patch: { tag: tag.trim() } })
    return known
  })
  return ids.length
}

export async function setTagStatus(deps: Deps, tag: string, status: number): Promise<undefined> {
  if (tag.trim() === '') throw new AppError('channels.params')
  await changeTag(deps, tag, { status, ...(status === ChannelStatus.enabled ? { other_info: '' } : {}) })
}

/** Updates all channels of a tag, by id: renaming or removing a tag changes no other channel. */
export async function updateTag(deps: Deps, body: TagChange): Promise<undefined> {
  const tag = body.tag.trim()
  if (tag === '') throw new AppError('channels.tag-blank')
  await changeTag(deps, tag, {
    ...(body.new_tag === undefined || body.new_tag === null ? {} : { tag: body.new_tag.trim() }),
    ...(isBlank(body.model_mapping) ? {} : { model_mapping: checkMapping(body.model_mapping ?? '') }),
    ...(isBlank(body.models) ? {} : { models: checkModels(body.models ?? '') }),
    ...(isBlank(body.groups) ? {} : { group: toGroups(body.groups ?? '') }),
    ...(body.priority === undefined || body.priority === null ? {} : { priority: body.priority }),
    ...(body.weight === undefined || body.weight === null ? {} : { weight: Math.max(0, body.weight) }),
  })
}

/** Rebuilds the abilities of all channels; returns the number of channels. */
export async function repairAbilities(deps: Deps): Promise<number> {
  return deps.db.transaction().execute(async (tx) => {
    const ids = (await listRoutedChannels(tx)).map((row) => row.id)
    const rows = await lockChannels(tx, ids)
    await rebuildAbilities(tx, rows)
    return rows.length
  })
}

async function changeTag(deps: Deps, tag: string, patch: ChannelPatch): Promise<void> {
  await changeChannels(deps, async (tx) => {
    const ids = (await lockChannelsOfTag(tx, tag)).map((row) => row.id)
    await updateChannels(tx, { ids, patch })
    return ids
  })
}

function isBlank(text: string | null | undefined): boolean {
  return text === undefined || text === null || text.trim() === ''
}
