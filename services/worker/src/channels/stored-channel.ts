import { sealedBy } from '@tollgate/config/sealing'
import { findChannel, findSealedKey, type ChannelRow } from '@tollgate/db/queries/channels/channels'
import { joinSecrets, type SettingSecrets } from '@tollgate/domain/channel-choice/setting-secrets'
import { keysIn } from '@tollgate/domain/channel-choice/split-keys'
import { proxyOf } from '@tollgate/upstream/prepare'
import { addressOf } from '@tollgate/upstream/task-call'
import type { Deps } from '../deps.ts'
import { toSetting } from './to-setting.ts'

/** A channel with what only the worker and relays may unseal. */
export type StoredChannel = {
  readonly row: ChannelRow
  readonly keys: readonly string[]
  readonly proxy: string | undefined
  /** The channel's or its vendor's, without a final slash; empty: there is none. */
  readonly address: string
}

/** Undefined: the channel is gone. */
export async function openStoredChannel(deps: Pick<Deps, 'db' | 'channelKeys'>, id: number): Promise<StoredChannel | undefined> {
  const row = await findChannel(deps.db, id)
  const stored = await findSealedKey(deps.db, id)
  if (row === undefined || stored === undefined) return undefined
  const setting = joinSecrets(toSetting(row.setting), secretsOf(deps, row))
  const keys = keysIn(deps.channelKeys.unseal(stored.key_sealed, sealedBy.channelKey(id)), setting)
  return { row, keys, proxy: proxyOf(setting), address: addressOf(row) }
}

/** The sealed parts of a channel’s setting. */
export function secretsOf(
  { channelKeys }: Pick<Deps, 'channelKeys'>,
  { id, setting_sealed }: { id: number; setting_sealed: string },
): SettingSecrets {
  if (setting_sealed === '') return {}
  // Only the control plane seals the column, from this type.
  return JSON.parse(channelKeys.unseal(setting_sealed, sealedBy.channelSetting(id))) as SettingSecrets
}
