import { sealedBy } from '@tollgate/config/sealing'
import { AppError } from '@tollgate/contracts/app-error'
import { ChannelStatus } from '@tollgate/contracts/enums'
import type { Channel, ChannelChange, NewChannel } from '@tollgate/contracts/resources/channels'
import type { Tx } from '@tollgate/db/connect'
import { createAuditEntry } from '@tollgate/db/queries/audit'
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
  type RoutedChannelRow,
} from '@tollgate/db/queries/channels'
import type { Actor } from '@tollgate/http/actor'
import { nowSeconds, type Deps } from '../../deps.ts'
import { changeChannels } from './change.ts'
import { checkRegion, toChangedFields, toKeys, toNewFields } from './fields.ts'
import { mayChangeDestination, destinationChanges } from './policy.ts'
import { getChannel } from './read.ts'

/** One channel per key. */
export async function createManyChannels(deps: Deps, body: NewChannel): Promise<undefined> {
  const fields = toNewFields(body)
  const keys = toKeys(fields, body.key ?? '')
  await changeChannels(deps, async (tx) => {
    await refuseRowIds(tx, keys)
    return addChannels(deps, tx, fields, keys)
  })
}

/** Copies a channel with its key, which no call can read. */
export async function copyChannel(deps: Deps, id: number): Promise<{ id: number }> {
  const [copy] = await changeChannels(deps, async (tx) => {
    const row = await findChannel(tx, id)
    const stored = await findSealedKey(tx, id)
    if (row === undefined || stored === undefined) throw new AppError('record.missing')
    const key = deps.sealers.channels.unseal(stored.key_sealed, sealedBy.channelKey(id))
    const { type, openai_organization, test_model, base_url, other, models, group, model_mapping, status_code_mapping } = row
    const { param_override, setting, max_input_tokens, priority, weight, auto_ban, tag } = row
    const fields = {
      type,
      openai_organization,
      test_model,
      base_url,
      other,
      models,
      group,
      model_mapping,
      status_code_mapping,
      param_override,
    }
    const status = row.status === ChannelStatus.enabled ? ChannelStatus.enabled : ChannelStatus.disabled
    const rest = { setting, max_input_tokens, priority, weight, auto_ban, tag, status, name: `${row.name}_复制` }
    return addChannels(deps, tx, { ...fields, ...rest }, [key])
  })
  if (copy === undefined) throw new AppError('record.missing')
  return { id: copy }
}

/** Sets the fields that were sent; a blank key keeps the stored one. */
export async function updateChannel(deps: Deps, { actor, body, ip }: { actor: Actor; body: ChannelChange; ip: string }): Promise<Channel> {
  const patch = toChangedFields(body)
  await changeChannels(deps, async (tx) => {
    const [before] = await lockChannels(tx, [body.id])
    if (before === undefined) throw new AppError('record.missing')
    const key = toNewKey({ ...before, ...patch }, body.key ?? '')
    if (patch.type !== undefined || patch.other !== undefined) checkRegion({ ...before, ...patch })
    if (key === undefined) await checkDestinationChange(deps, tx, { actor, before, patch, ip })
    else await refuseRowIds(tx, [key])
    await updateChannels(tx, {
      ids: [body.id],
      patch: { ...patch, ...(key === undefined ? {} : toStoredKey(deps, body.id, key)), ...clearedDisableReasons(key, patch) },
    })
    return [body.id]
  })
  return getChannel(deps, body.id)
}

/** Ids that do not exist are not an error: those channels are already deleted. */
export async function removeManyChannels(deps: Deps, ids: readonly number[]): Promise<number> {
  const removed = await changeChannels(deps, (tx) => removeChannels(tx, ids))
  return removed.length
}

export async function removeAllDisabledChannels(deps: Deps): Promise<number> {
  const removed = await changeChannels(deps, (tx) => removeDisabledChannels(tx))
  return removed.length
}

/** A new key, or enabling the channel by hand, clears the disable reasons. */
function clearedDisableReasons(key: string | undefined, patch: Partial<ChannelFields>): { other_info?: string } {
  return key === undefined && patch.status !== ChannelStatus.enabled ? {} : { other_info: '' }
}

async function addChannels(deps: Deps, tx: Tx, fields: ChannelFields, keys: readonly string[]): Promise<number[]> {
  const created_time = nowSeconds(deps)
  const ids = await takeChannelIds(tx, keys.length)
  await createChannels(
    tx,
    ids.map((id, index) => ({ ...fields, id, created_time, ...toStoredKey(deps, id, keys[index] ?? '') })),
  )
  return ids
}

function toStoredKey({ sealers }: Deps, id: number, key: string): { key_sealed: string; key_hash: string } {
  return { key_sealed: sealers.channels.seal(key, sealedBy.channelKey(id)), key_hash: sealers.channels.fingerprint(key) }
}

function toNewKey(fields: Pick<ChannelFields, 'type' | 'setting'>, text: string): string | undefined {
  if (text.trim() === '') return undefined
  const [key, ...more] = toKeys(fields, text)
  if (more.length > 0) throw new AppError('channels.params')
  return key
}

/** Old consoles copy a row whose key is hidden and send the channel's id instead. */
async function refuseRowIds(tx: Tx, keys: readonly string[]): Promise<void> {
  const ids = keys.filter((key) => /^\d{1,15}$/.test(key)).map(Number)
  if ((await listExistingChannelIds(tx, ids)).length > 0) throw new AppError('channels.key-is-id')
}

type DestinationChange = {
  readonly actor: Actor
  readonly before: RoutedChannelRow
  readonly patch: Partial<ChannelFields>
  readonly ip: string
}

async function checkDestinationChange(deps: Deps, tx: Tx, { actor, before, patch, ip }: DestinationChange): Promise<void> {
  const fields = destinationChanges(before, patch)
  if (fields.length === 0) return
  if (!mayChangeDestination(actor)) throw new AppError('channels.key-needed')
  await createAuditEntry(tx, {
    actor_id: actor.id,
    action: 'channel.redirect',
    subject: `channel ${before.id}`,
    detail: { fields, from: before.base_url, to: patch.base_url ?? before.base_url },
    ip,
    now: nowSeconds(deps),
  })
}
