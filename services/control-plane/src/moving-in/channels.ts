import { keyIdOf } from '@tollgate/config/sealing'
import { AppError } from '@tollgate/contracts/app-error'
import { toKeyStateColumns, type KeyState } from '@tollgate/contracts/channels/channel-keys'
import { ChannelStatus } from '@tollgate/contracts/enums'
import type { ChannelRecord } from '@tollgate/contracts/moving-in/records'
import type { Tx } from '@tollgate/db/connect'
import { rebuildAbilities } from '@tollgate/db/queries/channels/abilities'
import { createChannels, listRoutedChannels, updateChannels, type ChannelFields } from '@tollgate/db/queries/channels/channels'
import { raiseSnapshotVersion } from '@tollgate/db/queries/installation/snapshot'
import type { CarriedRow } from '@tollgate/db/queries/moving-in/imports'
import { listSharedModels } from '@tollgate/db/queries/moving-in/shared-models'
import { toKeys, toNewFields } from '../resources/channels/fields.ts'
import { readSetting, toSettingColumns } from '../resources/channels/setting.ts'
import { toStoredKey } from '../resources/channels/stored-key.ts'
import { amountIn, changedIn, fieldDigests, type Made, type Run, type Writer } from './carry.ts'
import { addChannelUse } from './money.ts'

const VERTEX = 41
const STATUSES: ReadonlySet<number> = new Set(Object.values(ChannelStatus))

export const channelWriter: Writer<'channels'> = {
  kind: 'channels',
  idOf: ({ id }) => String(id),
  create: async (run, tx, records) => {
    if (records.length === 0) return []
    const ids = await run.ids.take(
      tx,
      'channels',
      records.map(({ id }) => id),
    )
    const made: (Made | undefined)[] = []
    for (const [index, record] of records.entries()) made.push(await createOne(run, tx, record, ids[index] ?? 0))
    const byId = new Map(made.flatMap((one, index) => (one === undefined ? [] : [[one.target_id, records[index]?.id] as const])))
    await publish(tx, [...byId.keys()])
    await listShared(run, tx, byId)
    return made
  },
  update: async (run, tx, record, before) => {
    const made = await updateOne(run, tx, record, before)
    await publish(tx, [before.target_id])
    return made
  },
}

/** The relays read the channels once the transaction is committed: the publisher compares versions every two seconds. */
async function publish(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await rebuildAbilities(tx, await listRoutedChannels(tx, ids))
  await raiseSnapshotVersion(tx)
}

const MAX_DETAIL = 200

/** Requests go to all channels of a model: an operator decides whether those here and the carried ones share them. */
async function listShared(run: Run, tx: Tx, sourceIds: ReadonlyMap<number, number | undefined>): Promise<void> {
  for (const { channel_id, models } of await listSharedModels(tx, { ids: [...sourceIds.keys()], name: run.name })) {
    const at = `channels ${sourceIds.get(channel_id) ?? channel_id}`
    run.found.list('decisions', { kind: 'channels', at, code: 'models-shared', detail: models.slice(0, MAX_DETAIL) })
  }
}

type Columns = { readonly fields: ChannelFields; readonly key: string; readonly states: ReturnType<typeof toKeyStateColumns> }

async function createOne(run: Run, tx: Tx, record: ChannelRecord, id: number): Promise<Made | undefined> {
  const columns = columnsOf(run, record)
  if (columns === undefined) return undefined
  const { fields, key, states } = columns
  const { sealers } = run.deps
  await createChannels(tx, [
    {
      ...fields,
      ...toSettingColumns({ sealers }, id, readSetting(fields.setting, {})),
      ...toStoredKey({ sealers }, id, key),
      ...states,
      id,
      created_time: record.created_time === 0 ? run.now : record.created_time,
    },
  ])
  await addChannelUse(run, tx, id, record.used_quota)
  return { target_id: id, state: stateOf(record, columns) }
}

const stateOf = ({ used_quota }: ChannelRecord, { fields, key, states }: Columns) => ({
  used: used_quota,
  fields: fieldDigests({ ...fields, key, states }),
})

async function updateOne(run: Run, tx: Tx, record: ChannelRecord, before: CarriedRow): Promise<Made | undefined> {
  const columns = columnsOf(run, record)
  if (columns === undefined) return undefined
  const { fields, key, states } = columns
  const id = before.target_id
  const { sealers } = run.deps
  const changed = changedIn({ ...fields, key, states }, before)
  const { key: newKey, states: newStates, setting, ...patch } = changed
  await updateChannels(tx, {
    ids: [id],
    patch: {
      ...patch,
      ...(setting === undefined ? {} : toSettingColumns({ sealers }, id, readSetting(setting, {}))),
      ...(newKey === undefined ? {} : toStoredKey({ sealers }, id, newKey)),
      ...newStates,
    },
  })
  await addChannelUse(run, tx, id, record.used_quota - amountIn(before, 'used'))
  return { target_id: id, state: stateOf(record, columns) }
}

/** The columns by the rules of the console; undefined: refused, and listed. */
function columnsOf(run: Run, record: ChannelRecord): Columns | undefined {
  const at = `channels ${record.id}`
  const list = (code: string, detail: string): void => run.found.list('decisions', { kind: 'channels', at, code, detail })
  let wanted = record
  // One part that the rules refuse is left out; the channel stays off until an operator has looked at it.
  for (const part of ['', 'param_override', 'header_override', 'status_code_mapping', 'model_mapping', 'base_url'] as const) {
    if (part !== '') wanted = without(wanted, part)
    try {
      const columns = toColumns(wanted)
      if (part !== '') list('part-left', part)
      if (record.keys.length === 0) list('no-key', record.name)
      return columns
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (part === 'base_url')
        run.found.refuse('channels', { kind: 'channels', at, code: 'channel', detail: error.code, params: error.params })
    }
  }
  return undefined
}

function without(
  record: ChannelRecord,
  part: 'param_override' | 'header_override' | 'status_code_mapping' | 'model_mapping' | 'base_url',
): ChannelRecord {
  const off = { ...record, status: ChannelStatus.disabled }
  if (part !== 'header_override') return { ...off, [part]: '' }
  const { header_override: _, ...setting } = record.setting
  return { ...off, setting }
}

function toColumns(record: ChannelRecord): Columns {
  const { has_several_keys, key_mode, keys } = record
  const setting = { ...record.setting, ...(has_several_keys ? { multi_key_mode: key_mode } : {}) }
  const fields = toNewFields({
    type: record.type,
    name: record.name,
    openai_organization: record.openai_organization,
    test_model: record.test_model,
    base_url: record.base_url,
    other: record.other,
    models: record.models.join(','),
    group: record.groups.join(','),
    model_mapping: record.model_mapping,
    status_code_mapping: record.status_code_mapping,
    param_override: record.param_override,
    setting: Object.keys(setting).length === 0 ? '' : JSON.stringify(setting),
    priority: record.priority,
    weight: record.weight,
    auto_ban: record.auto_ban ? 1 : 0,
    tag: record.tag,
  })
  const text = keys.length === 0 ? 'none' : keys.length > 1 && record.type === VERTEX ? `[${keys.join(',')}]` : keys.join('\n')
  const [key = ''] = toKeys(has_several_keys ? fields : { ...fields, setting: JSON.stringify({ multi_key_mode: 'random' }) }, text)
  const states = record.disabled_keys.flatMap(({ index, reason, at }): [string, KeyState][] => {
    const disabled = keys[index]
    return disabled === undefined
      ? []
      : [[keyIdOf(disabled), { disabled_at: at === 0 ? record.created_time : at, ...(reason === '' ? {} : { reason }) }]]
  })
  const status = STATUSES.has(record.status) ? record.status : ChannelStatus.disabled
  return { fields: { ...fields, status }, key, states: toKeyStateColumns(Object.fromEntries(states)) }
}
