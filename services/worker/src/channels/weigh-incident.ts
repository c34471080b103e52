import { keyIdOf } from '@tollgate/config/sealing'
import { encodeChannelInfo, parseChannelInfo, type DisableReason } from '@tollgate/contracts/channels/channel-info'
import { parseKeyStates } from '@tollgate/contracts/channels/channel-keys'
import { ChannelStatus } from '@tollgate/contracts/enums'
import { keysIn } from '@tollgate/domain/channel-choice/split-keys'
import type { ChannelIncident } from '@tollgate/redis/stores/incident-stream'

type ChannelRow = { readonly status: number; readonly auto_ban: number; readonly other_info: string; readonly key_states: string }
export type IncidentInput = {
  readonly row: ChannelRow
  readonly incident: ChannelIncident
  /** The channel's keys in clear, and its parsed setting. */
  readonly key: string
  readonly setting: Readonly<Record<string, unknown>>
}

/**
 * The columns that an incident changes in its channel; undefined: none. A channel is disabled with its only key, or with the last of
 * several. An incident whose key id belongs to none of the channel's keys is outdated.
 */
export function weighIncident({ row, incident, key, setting }: IncidentInput): { status: number; other_info: string } | undefined {
  if (row.status !== ChannelStatus.enabled || row.auto_ban !== 1) return undefined
  const info = parseChannelInfo(row.other_info)
  const evidence = toEvidence(incident)
  if (incident.key_id === '') return { status: ChannelStatus.autoDisabled, other_info: encodeChannelInfo({ ...info, ...evidence }) }
  const key_ids = keysIn(key, setting).map(keyIdOf)
  if (!key_ids.includes(incident.key_id) || info.keys?.[incident.key_id] !== undefined) return undefined
  const keys = { ...info.keys, [incident.key_id]: evidence }
  const states = parseKeyStates(row.key_states)
  const areAllDisabled = key_ids.every((key_id) => keys[key_id] !== undefined || states[key_id]?.disabled_at !== undefined)
  return areAllDisabled
    ? { status: ChannelStatus.autoDisabled, other_info: encodeChannelInfo({ ...info, ...evidence, keys }) }
    : { status: row.status, other_info: encodeChannelInfo({ ...info, keys }) }
}

function toEvidence({ at, reason, status, code }: ChannelIncident): DisableReason {
  const what = [status === 0 ? '' : String(status), code].filter((part) => part !== '').join(' ')
  return {
    status_reason: what === '' ? reason : `${what}: ${reason}`,
    status_time: Math.floor(at / 1000),
    ...(status === 0 ? {} : { status }),
    ...(code === '' ? {} : { code }),
    text: reason,
  }
}
