import { createHash } from 'node:crypto'
import type { AuditChange } from '@tollgate/contracts/resources/audit'
import type { BatchChange, BatchEdited } from '@tollgate/contracts/resources/channel-batches'
import { AppError } from '@tollgate/contracts/app-error'
import { ownValue } from '@tollgate/contracts/values/own-value'
import { ChannelStatus } from '@tollgate/contracts/enums'
import { toList } from '@tollgate/db/queries/channels/abilities'
import {
  listRoutedChannels,
  lockChannels,
  updateChannels,
  type ChannelPatch,
  type RoutedChannelRow,
} from '@tollgate/db/queries/channels/channels'
import type { Setting } from '@tollgate/domain/channel-choice/setting-secrets'
import type { By } from '../../audit.ts'
import type { Deps } from '../../deps.ts'
import type { Publication } from '../../internal/snapshot-publisher.ts'
import { auditedFields, auditedSetting } from './audited.ts'
import { changeChannels } from './change.ts'
import { checkModels, toGroups } from './fields.ts'
import { checkDestination } from './policy.ts'
import { openSetting, toSettingColumns } from './setting.ts'
import { nameList } from '@tollgate/domain/display/name-list'

type Wanted = { readonly ids: readonly number[]; readonly change: BatchChange }
type Edit = { readonly row: RoutedChannelRow; readonly patch: ChannelPatch; readonly changes: readonly AuditChange[] }

/** Changes that a batch edit would make, channel by channel; channels that stay as they are are absent. Changes nothing. */
export async function previewBatch(deps: Deps, by: By, { ids, change }: Wanted): Promise<BatchEdited[]> {
  return editsOf(deps, by, await listRoutedChannels(deps.db, ids), change).map(toEdited)
}

/** Changes these channels in one transaction: all of them, or none. With `seen`, only what a preview showed. */
export async function editBatch(
  deps: Deps,
  by: By,
  { ids, change, seen }: Wanted & { readonly seen?: Readonly<Record<string, string>> | undefined },
): Promise<{ count: number; publication: Publication }> {
  const { ids: changed, publication } = await changeChannels(deps, by, async (tx) => {
    const edits = editsOf(deps, by, await lockChannels(tx, ids), change)
    const others = seen === undefined ? [] : edits.filter(({ row, changes }) => ownValue(seen, String(row.id)) !== versionOf(changes))
    if (others.length > 0) throw new AppError('edit.changed-meanwhile', { fields: namesOf(others) }, { console: 409 })
    // One statement for all channels that get the same values.
    for (const same of Map.groupBy(edits, ({ patch }) => JSON.stringify(patch)).values()) {
      const [first] = same
      if (first !== undefined) await updateChannels(tx, { ids: same.map(({ row }) => row.id), patch: first.patch })
    }
    return edits.map(({ row, changes }) => ({ id: row.id, action: 'update' as const, changes }))
  })
  return { count: changed.length, publication }
}

const toEdited = ({ row, changes }: Edit): BatchEdited => ({
  id: row.id,
  name: row.name,
  changes: [...changes],
  version: versionOf(changes),
})

const versionOf = (changes: readonly AuditChange[]): string => createHash('sha256').update(JSON.stringify(changes)).digest('base64url')

const MAX_NAMED = 10

const namesOf = (edits: readonly Edit[]): string =>
  nameList(
    edits.map(({ row }) => row.name),
    MAX_NAMED,
  )

function editsOf(deps: Deps, by: By, rows: readonly RoutedChannelRow[], change: BatchChange): Edit[] {
  if (Object.values(change).every((value) => value === undefined || value === null)) throw new AppError('channels.params')
  return rows.map((row) => editOf(deps, by, row, change)).filter(({ changes }) => changes.length > 0)
}

function editOf(deps: Deps, { actor }: By, row: RoutedChannelRow, change: BatchChange): Edit {
  const { models, groups, priority, weight, tag, proxy, status } = change
  const fields = {
    ...(isNone(models) ? {} : { models: checkModels(edited(row.models, models)) }),
    ...(isNone(groups) ? {} : { group: toGroups(edited(row.group, groups)) }),
    ...(isNone(priority) ? {} : { priority }),
    ...(isNone(weight) ? {} : { weight: Math.max(0, weight) }),
    ...(isNone(tag) ? {} : { tag: tag.trim() }),
    ...(isNone(status) ? {} : { status }),
    ...(status === ChannelStatus.enabled && row.status !== status ? { other_info: '' } : {}),
  }
  if (isNone(proxy)) return { row, patch: fields, changes: auditedFields(row, fields) }
  const before = openSetting(deps, row)
  const after = withProxy(before, proxy.trim())
  checkDestination(actor, { before: { ...row, setting: before }, after: { ...row, setting: after }, keepsKey: true })
  const changes = [...auditedFields(row, fields), ...auditedSetting(before, after)]
  const columns = toSettingColumns(deps, row.id, {
    text: Object.keys(after).length === 0 ? '' : JSON.stringify(after, null, 2),
    setting: after,
  })
  return { row, patch: { ...fields, ...columns }, changes }
}

function isNone<T>(value: T | null | undefined): value is null | undefined {
  return value === undefined || value === null
}

/** A comma-separated list without and with these names, or replaced by them. */
function edited(text: string, { action, names }: NonNullable<BatchChange['models']>): string {
  if (action === 'replace') return names.join(',')
  const left = toList(text).filter((name) => !names.includes(name))
  return (action === 'add' ? [...toList(text), ...names] : left).join(',')
}

function withProxy(setting: Setting, proxy: string): Setting {
  const { proxy: _, ...rest } = setting
  return proxy === '' ? rest : { ...rest, proxy }
}
