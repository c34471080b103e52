import { keyIdOf, sealedBy } from '@tollgate/config/sealing'
import { AppError } from '@tollgate/contracts/app-error'
import { parseKeyStates, toKeyStateColumns } from '@tollgate/contracts/channels/channel-keys'
import { ChannelStatus } from '@tollgate/contracts/enums'
import type { ChannelChange, NewChannel } from '@tollgate/contracts/resources/channels'
import type { Tx } from '@tollgate/db/connect'
import {
  createChannels,
  findChannel,
  findSealedKey,
  listExistingChannelIds,
  lockChannels,
  removeChannels,
  removeDisabledChannels,
  takeChannelIds,
  updateChannels,
  type ChannelFields,
  type ChannelRow,
  type RoutedChannelRow,
} from '@tollgate/db/queries/channels/channels'
import type { Setting } from '@tollgate/domain/channel-choice/setting-secrets'
import { multiKeyModeOf, splitKeys } from '@tollgate/domain/channel-choice/split-keys'
import type { By } from '../../audit.ts'
import { toChannel } from './present.ts'
import { ownEdits } from '../../own-edits.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import type { Publication } from '../../internal/snapshot-publisher.ts'
import { auditedFields, auditedSetting } from './audited.ts'
import { changeChannels, type ChangedChannels, type ChannelEdit } from './change.ts'
import { checkRegion, keptAddress, refuseRetired, toChangedFields, toKeys, toNewFields } from './fields.ts'
import { fieldsOfNew, keysOfNew } from './new-channel.ts'
import { checkDestination } from './policy.ts'
import { checkCopiedHeaders, openSecrets, openSetting, readSetting, toSettingColumns, type SentSetting } from './setting.ts'
import { toStoredKey } from './stored-key.ts'

/** Creates channels as a form sends them. */
export async function createManyChannels(deps: Deps, by: By, body: NewChannel): Promise<Publication> {
  const { publication } = await changeChannels(deps, by, newChannelEdits(deps, by, body))
  return publication
}

/** One channel per key, or as the form's mode says. A key that is the id of a channel of the same address copies that channel's key. */
export function newChannelEdits(deps: Deps, by: By, body: NewChannel): (tx: Tx) => Promise<ChannelEdit[]> {
  const form = fieldsOfNew(body)
  const fields = toNewFields(form)
  const keys = keysOfNew(body, fields)
  return async (tx) => {
    const source = await findSource(deps, tx, fields, keys)
    const sent = readSetting(fields.setting, source === undefined ? {} : openSecrets(deps, source.row))
    const before = source === undefined ? {} : openSetting(deps, source.row)
    const { param_override } = fields
    checkCopiedHeaders(by.actor, {
      before: { setting: before, param_override: source?.row.param_override ?? '' },
      after: { setting: sent.setting, param_override },
    })
    if (source === undefined) return addChannels(deps, tx, { fields, sent, keys, action: 'create' })
    const destination = { type: fields.type, base_url: fields.base_url }
    checkDestination(by.actor, {
      before: { ...destination, setting: before },
      after: { ...destination, setting: sent.setting },
      keepsKey: true,
    })
    return addChannels(deps, tx, { fields, sent, keys: [source.key], action: 'copy', from: source.row.id })
  }
}

/** Copies a channel with its key and the secrets of its setting, which no call can read. */
export async function copyChannel(deps: Deps, by: By, id: number): Promise<{ id: number; publication: Publication }> {
  const { ids, publication } = await changeChannels(deps, by, async (tx) => {
    const row = await findChannel(tx, id)
    const key = await openKey(deps, tx, id)
    if (row === undefined || key === undefined) throw new AppError('record.missing')
    const sent = { text: row.setting, setting: openSetting(deps, row) }
    const { key_states, key_expires_at } = row
    return addChannels(deps, tx, {
      fields: toCopy(row),
      sent,
      keys: [key],
      states: { key_states, key_expires_at },
      action: 'copy',
      from: id,
    })
  })
  const [copy] = ids
  if (copy === undefined) throw new AppError('record.missing')
  return { id: copy, publication }
}

function toCopy(row: ChannelRow): ChannelFields {
  const { type, openai_organization, test_model, base_url, other, models, group, model_mapping, status_code_mapping } = row
  const { param_override, setting, max_input_tokens, priority, weight, auto_ban, tag } = row
  const status = row.status === ChannelStatus.enabled ? ChannelStatus.enabled : ChannelStatus.disabled
  const parts = { type, openai_organization, test_model, base_url, other, models, group, model_mapping, status_code_mapping }
  return { ...parts, param_override, setting, max_input_tokens, priority, weight, auto_ban, tag, status, name: `${row.name}_复制` }
}

/** An address that is not edited stays as it is. */
function withKeptAddress<T extends { readonly type?: number; readonly base_url?: string }>(
  fields: T,
  row: Pick<ChannelRow, 'type' | 'base_url'>,
): T {
  const { type = row.type, base_url } = fields
  return base_url === undefined || base_url === row.base_url ? fields : { ...fields, base_url: keptAddress(type, base_url) }
}

export async function updateChannel(deps: Deps, by: By, body: ChannelChange): Promise<Publication> {
  const { publication } = await changeChannels(deps, by, channelEdits(deps, by, body))
  return publication
}

/** Sets the fields that were sent; a blank key keeps the stored one, and a masked secret of the setting too. */
export function channelEdits(deps: Deps, by: By, body: ChannelChange): (tx: Tx) => Promise<ChannelEdit[]> {
  // Refused before a row is locked.
  toChangedFields(body)
  return async (tx) => {
    const [row] = await lockChannels(tx, [body.id])
    if (row === undefined) throw new AppError('record.missing')
    const { setting: text, ...fields } = toChangedFields(await editsOf(tx, body))
    const patch = withKeptAddress(fields, row)
    if (patch.type !== undefined && patch.type !== row.type) refuseRetired(patch.type)
    const before = openSetting(deps, row)
    const sent = text === undefined ? undefined : readSetting(text, openSecrets(deps, row))
    const after = sent?.setting ?? before
    const key = toNewKey({ type: patch.type ?? row.type, setting: text ?? row.setting }, body.key ?? '')
    if (patch.type !== undefined || patch.other !== undefined) checkRegion({ ...row, ...patch })
    const { param_override } = row
    checkCopiedHeaders(by.actor, {
      before: { setting: before, param_override },
      after: { setting: after, param_override: patch.param_override ?? param_override },
    })
    checkDestination(by.actor, {
      before: { ...row, setting: before },
      after: { type: patch.type ?? row.type, base_url: patch.base_url ?? row.base_url, setting: after },
      keepsKey: key === undefined,
    })
    if (key !== undefined) await refuseRowIds(tx, [key])
    else await refuseLostKeys(deps, tx, { id: row.id, before, after })
    const columns = sent === undefined ? {} : toSettingColumns(deps, row.id, sent)
    const keyColumns = key === undefined ? {} : { ...toStoredKey(deps, row.id, key), ...statesOfKept(row, key) }
    await updateChannels(tx, { ids: [row.id], patch: { ...patch, ...columns, ...keyColumns, ...clearedDisableReasons(key, patch) } })
    const changes = [...auditedFields(row, patch), ...auditedSetting(before, after), ...(key === undefined ? [] : [{ field: 'key' }])]
    return [{ id: row.id, action: 'update', changes }]
  }
}

/** An edit form sends an outdated status beside the models, also when it did not change these. */
async function editsOf(tx: Tx, body: ChannelChange): Promise<ChannelChange> {
  if (body.was === undefined) return body
  const row = await findChannel(tx, body.id)
  const edits = row === undefined ? body : ownEdits(body, { ...toChannel(row, 'en') })
  return body.models === undefined ? edits : { ...edits, status: undefined }
}

/** Ids that do not exist are not an error: those channels are already deleted. */
export function removeManyChannels(deps: Deps, by: By, ids: readonly number[]): Promise<ChangedChannels> {
  return changeChannels(deps, by, removalEdits(ids))
}

export function removalEdits(ids: readonly number[]): (tx: Tx) => Promise<ChannelEdit[]> {
  return async (tx) => (await removeChannels(tx, ids)).map(toRemoval)
}

export function removeAllDisabledChannels(deps: Deps, by: By): Promise<ChangedChannels> {
  return changeChannels(deps, by, async (tx) => (await removeDisabledChannels(tx)).map(toRemoval))
}

function toRemoval({ id, name }: { readonly id: number; readonly name: string }): ChannelEdit {
  return { id, action: 'delete', changes: [{ field: 'name', before: name }] }
}

/** A new key, or enabling the channel by hand, clears the disable reasons. */
function clearedDisableReasons(key: string | undefined, patch: Partial<ChannelFields>): { other_info?: string } {
  return key === undefined && patch.status !== ChannelStatus.enabled ? {} : { other_info: '' }
}

export type AddedChannels = {
  readonly fields: ChannelFields
  readonly sent: SentSetting
  readonly keys: readonly string[]
  readonly states?: ReturnType<typeof toKeyStateColumns>
  readonly action: 'create' | 'copy'
  readonly from?: number
}

/** Creates one channel per key text. */
export async function addChannels(deps: Deps, tx: Tx, { fields, sent, keys, states, action, from }: AddedChannels): Promise<ChannelEdit[]> {
  const created_time = nowSeconds(deps)
  const ids = await takeChannelIds(tx, keys.length)
  await createChannels(
    tx,
    ids.map((id, index) => ({
      ...fields,
      ...toSettingColumns(deps, id, sent),
      id,
      created_time,
      ...toStoredKey(deps, id, keys[index] ?? ''),
      ...states,
    })),
  )
  const { setting: _setting, ...columns } = fields
  const filled = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== '' && value !== 0))
  const changes = [
    ...(from === undefined ? [] : [{ field: 'copied_from', after: String(from) }]),
    ...auditedFields({}, filled),
    ...auditedSetting({}, sent.setting),
  ]
  return ids.map((id) => ({ id, action, changes }))
}

/** Without `multi_key_mode` the whole text is one key: several keys cannot lose it. */
async function refuseLostKeys(deps: Deps, tx: Tx, { id, before, after }: { id: number; before: Setting; after: Setting }): Promise<void> {
  if (multiKeyModeOf(before) === undefined || multiKeyModeOf(after) !== undefined) return
  if (splitKeys((await openKey(deps, tx, id)) ?? '').length > 1) throw new AppError('channels.several-keys')
}

/** Settings of operators for the keys that a new key text still has. */
function statesOfKept({ key_states }: Pick<RoutedChannelRow, 'key_states'>, text: string): ReturnType<typeof toKeyStateColumns> {
  const kept = new Set(splitKeys(text).map(keyIdOf))
  return toKeyStateColumns(Object.fromEntries(Object.entries(parseKeyStates(key_states)).filter(([key_id]) => kept.has(key_id))))
}

function toNewKey(fields: Pick<ChannelFields, 'type' | 'setting'>, text: string): string | undefined {
  if (text.trim() === '') return undefined
  const [key, ...more] = toKeys(fields, text)
  if (more.length > 0) throw new AppError('channels.params')
  return key
}

const ROW_ID = /^\d{1,15}$/

/** Consoles copy a row whose key is hidden and send the channel's id instead. */
async function findSource(
  deps: Deps,
  tx: Tx,
  { type, base_url }: ChannelFields,
  keys: readonly string[],
): Promise<{ row: ChannelRow; key: string } | undefined> {
  const [only = ''] = keys
  const row = keys.length === 1 && ROW_ID.test(only) ? await findChannel(tx, Number(only)) : undefined
  const isSame = row !== undefined && row.type === type && row.base_url === base_url
  if (!isSame) await refuseRowIds(tx, keys)
  const key = isSame ? await openKey(deps, tx, row.id) : undefined
  return !isSame || key === undefined ? undefined : { row, key }
}

/** The key of another address must not be sent to this one, and an id is no key. */
async function refuseRowIds(tx: Tx, keys: readonly string[]): Promise<void> {
  const ids = keys.filter((key) => ROW_ID.test(key)).map(Number)
  if ((await listExistingChannelIds(tx, ids)).length > 0) throw new AppError('channels.key-is-id')
}

async function openKey({ sealers }: Deps, tx: Tx, id: number): Promise<string | undefined> {
  const stored = await findSealedKey(tx, id)
  return stored === undefined ? undefined : sealers.channels.unseal(stored.key_sealed, sealedBy.channelKey(id))
}
