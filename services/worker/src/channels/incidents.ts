import { sealedBy } from '@tollgate/config/sealing'
import { parseChannelInfo } from '@tollgate/contracts/channels/channel-info'
import { ChannelStatus } from '@tollgate/contracts/enums'
import { readOption, type OptionKey, type OptionValues } from '@tollgate/contracts/options/registry'
import type { UnixSeconds } from '@tollgate/contracts/units'
import { rebuildAbilities } from '@tollgate/db/queries/channels/abilities'
import { createAuditEntries } from '@tollgate/db/queries/installation/audit'
import { lockChannelHealth } from '@tollgate/db/queries/channels/channel-health'
import { updateChannels } from '@tollgate/db/queries/channels/channels'
import type { Tx } from '@tollgate/db/connect'
import { queueEvent } from '@tollgate/db/queries/deliveries/events'
import { notifyRoots } from '@tollgate/db/queries/deliveries/notifications'
import { findOption } from '@tollgate/db/queries/installation/options'
import { raiseSnapshotVersion } from '@tollgate/db/queries/installation/snapshot'
import { acknowledgeIncidents, takeIncidents, type ChannelIncident } from '@tollgate/redis/stores/incident-stream'
import type { Deps } from '../deps.ts'
import { proposeIncident } from './propose-incident.ts'
import { toSetting } from './to-setting.ts'
import { weighIncident } from './weigh-incident.ts'

type IncidentDeps = Pick<Deps, 'db' | 'redis' | 'channelKeys' | 'now'> & { readonly log: Pick<Deps['log'], 'warn'> }

const AT_ONCE = 100

/**
 * Applies the next incidents from relays: disables channels and keys. Idempotent: a disabled channel is not changed. Relays get the
 * change with the snapshot that the control plane publishes for the raised version.
 */
export async function applyIncidents(deps: IncidentDeps, consumer: string): Promise<number> {
  const taken = await takeIncidents(deps.redis, consumer, AT_ONCE)
  if (taken.length === 0) return 0
  const isEnabled = await getOption(deps, 'AutomaticDisableChannelEnabled')
  let applied = 0
  for (const { incident } of taken) {
    if (isEnabled && incident !== undefined && (await applyOne(deps, incident))) applied += 1
  }
  await acknowledgeIncidents(
    deps.redis,
    taken.map(({ id }) => id),
  )
  return applied
}

/** The stored value of an option, or its default. */
export async function getOption<K extends OptionKey>({ db }: Pick<Deps, 'db'>, key: K): Promise<OptionValues[K]> {
  return readOption(key, (await findOption(db, key))?.value)
}

async function applyOne({ db, channelKeys, log, now }: IncidentDeps, incident: ChannelIncident): Promise<boolean> {
  const { channel_id, status } = incident
  const change = await db.transaction().execute(async (tx) => {
    const row = await lockChannelHealth(tx, channel_id)
    if (row === undefined) return undefined
    const key = channelKeys.unseal(row.key_sealed, sealedBy.channelKey(channel_id))
    const patch = weighIncident({ row, incident, key, setting: toSetting(row.setting) })
    if (patch !== undefined) await saveStatus(tx, row, patch, Math.floor(now() / 1000))
    return patch
  })
  if (change === undefined) return false
  log.warn({ channel_id, status }, 'Channel or one of its keys disabled')
  return true
}

type Row = Parameters<typeof rebuildAbilities>[1][number] & { readonly name: string }

/** The actor of changes that no user made. */
const SYSTEM = { actor_id: 0, actor_name: '', actor_role: 0, ip: '' } as const

async function tellRoots(
  tx: Tx,
  { id, name }: Row,
  { status, other_info }: { status: number; other_info: string },
  now: UnixSeconds,
): Promise<void> {
  const topic = `channel_update_${id}_${status}`
  if (status === ChannelStatus.enabled) await notifyRoots(tx, { notice: 'channel-enabled', values: { id: String(id), name }, topic, now })
  else {
    const { status_reason: reason = '', status: answered } = parseChannelInfo(other_info)
    const values = { id: String(id), name, reason, status: answered === undefined ? '' : String(answered) }
    await queueEvent(tx, { type: 'channel.disabled', data: { channel_id: id, name, reason }, now })
    await proposeIncident(tx, { id, name, reason, now })
    await notifyRoots(tx, { notice: 'channel-disabled', values, topic, now })
  }
}

/** Writes a channel's new status, its abilities, an audit entry and a notice to root, and raises the version of the configuration. */
export async function saveStatus(tx: Tx, row: Row, patch: { status: number; other_info: string }, now: UnixSeconds): Promise<void> {
  const change =
    patch.status === row.status ? { field: 'keys' } : { field: 'status', before: String(row.status), after: String(patch.status) }
  const entry = { action: 'update', resource: 'channel', resource_id: String(row.id), changes: [change], now } as const
  await createAuditEntries(tx, [{ ...SYSTEM, ...entry }])
  await updateChannels(tx, { ids: [row.id], patch })
  if (patch.status !== row.status) {
    await rebuildAbilities(tx, [{ ...row, status: patch.status }])
    await tellRoots(tx, row, patch, now)
  }
  await raiseSnapshotVersion(tx)
}
