import { AppError } from '@tollgate/contracts/app-error'
import { ChannelStatus } from '@tollgate/contracts/enums'
import { ownValue } from '@tollgate/contracts/values/own-value'
import type { TagChange } from '@tollgate/contracts/resources/channels'
import type { Tx } from '@tollgate/db/connect'
import { rebuildAbilities } from '@tollgate/db/queries/channels/abilities'
import {
  listRoutedChannels,
  lockChannels,
  lockChannelsOfTag,
  updateChannels,
  type ChannelPatch,
  type RoutedChannelRow,
} from '@tollgate/db/queries/channels/channels'
import { recordAudit, type By } from '../../audit.ts'
import type { Deps } from '../../deps.ts'
import type { Publication } from '../../internal/snapshot-publisher.ts'
import { ownEdits } from '../../own-edits.ts'
import { auditedFields } from './audited.ts'
import { changeChannels, type ChannelEdit } from './change.ts'
import { checkMapping, checkModels, toGroups } from './fields.ts'

/** Sets the tag of these channels; a blank tag removes it. */
export async function tagChannels(deps: Deps, by: By, { ids, tag }: { ids: readonly number[]; tag: string }): Promise<Publication> {
  const { publication } = await changeChannels(deps, by, async (tx) => update(tx, await lockChannels(tx, ids), { tag: tag.trim() }))
  return publication
}

export function setTagStatus(deps: Deps, by: By, { tag, status }: { tag: string; status: number }): Promise<Publication> {
  if (tag.trim() === '') throw new AppError('channels.params')
  return changeTag(deps, by, tag, { status, ...(status === ChannelStatus.enabled ? { other_info: '' } : {}) })
}

/** Updates all channels of a tag, by id: renaming or removing a tag changes no other channel. */
export async function updateTag(deps: Deps, by: By, body: TagChange): Promise<Publication> {
  const tag = body.tag.trim()
  if (tag === '') throw new AppError('channels.tag-blank')
  const { publication } = await changeChannels(deps, by, async (tx) => {
    const rows = await lockChannelsOfTag(tx, tag)
    return update(tx, rows, toPatch(ownEdits(body, commonOf(rows))))
  })
  return publication
}

/** Values that all channels of a tag share, for its form: null for a field in which they differ. */
function commonOf(rows: readonly RoutedChannelRow[]): Readonly<Record<string, unknown>> {
  const shown = rows.map(({ model_mapping, models, group, priority, weight }) => ({
    model_mapping,
    models,
    groups: group,
    priority,
    weight,
  }))
  const [first, ...others] = shown
  const fields = Object.entries(first ?? {})
  return Object.fromEntries(
    fields.map(([field, value]) => [field, others.every((other) => ownValue(other, field) === value) ? value : null]),
  )
}

function toPatch(body: TagChange): ChannelPatch {
  return {
    ...(body.new_tag === undefined || body.new_tag === null ? {} : { tag: body.new_tag.trim() }),
    ...(isBlank(body.model_mapping) ? {} : { model_mapping: checkMapping(body.model_mapping ?? '') }),
    ...(isBlank(body.models) ? {} : { models: checkModels(body.models ?? '') }),
    ...(isBlank(body.groups) ? {} : { group: toGroups(body.groups ?? '') }),
    ...(body.priority === undefined || body.priority === null ? {} : { priority: body.priority }),
    ...(body.weight === undefined || body.weight === null ? {} : { weight: Math.max(0, body.weight) }),
  }
}

/** Rebuilds the abilities of all channels; returns the number of channels. */
export async function repairAbilities(deps: Deps, by: By): Promise<number> {
  return deps.db.transaction().execute(async (tx) => {
    const ids = (await listRoutedChannels(tx)).map((row) => row.id)
    const rows = await lockChannels(tx, ids)
    await rebuildAbilities(tx, rows)
    await recordAudit(deps, tx, by, [{ action: 'repair', resource: 'channel', resource_id: '' }])
    return rows.length
  })
}

async function changeTag(deps: Deps, by: By, tag: string, patch: ChannelPatch): Promise<Publication> {
  const { publication } = await changeChannels(deps, by, async (tx) => update(tx, await lockChannelsOfTag(tx, tag), patch))
  return publication
}

async function update(tx: Tx, rows: readonly RoutedChannelRow[], patch: ChannelPatch): Promise<ChannelEdit[]> {
  await updateChannels(tx, { ids: rows.map(({ id }) => id), patch })
  const { other_info: _reason, ...audited } = patch
  return rows.map((row) => ({ id: row.id, action: 'update', changes: auditedFields(row, audited) }))
}

function isBlank(text: string | null | undefined): boolean {
  return text === undefined || text === null || text.trim() === ''
}
