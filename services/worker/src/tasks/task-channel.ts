import { keyIdOf, sealedBy } from '@tollgate/config/sealing'
import { findChannel, findSealedKey } from '@tollgate/db/queries/channels'
import { joinSecrets, type SettingSecrets } from '@tollgate/domain/channel-choice/setting-secrets'
import { keysIn } from '@tollgate/domain/channel-choice/split-keys'
import { findVendor } from '@tollgate/providers/vendors/index'
import type { Deps } from '../deps.ts'
import { toSetting } from '../health-of-channels/to-setting.ts'

export type TaskChannel = {
  readonly id: number
  readonly type: number
  readonly address: string
  readonly key: string
  readonly proxy: string | undefined
}

/** The channel that a task was submitted to, with that key; undefined: one of them is gone. */
export async function findTaskChannel(
  deps: Pick<Deps, 'db' | 'channelKeys'>,
  id: number,
  key_id: string,
): Promise<TaskChannel | undefined> {
  const { db, channelKeys } = deps
  const row = await findChannel(db, id)
  const stored = await findSealedKey(db, id)
  if (row === undefined || stored === undefined) return undefined
  // Only the control plane seals the column, from this type.
  const secrets =
    row.setting_sealed === '' ? {} : (JSON.parse(channelKeys.unseal(row.setting_sealed, sealedBy.channelSetting(id))) as SettingSecrets)
  const setting = joinSecrets(toSetting(row.setting), secrets)
  const all = keysIn(channelKeys.unseal(stored.key_sealed, sealedBy.channelKey(id)), setting)
  const key = key_id === '' ? all[0] : all.find((one) => keyIdOf(one) === key_id)
  if (key === undefined) return undefined
  const proxy = typeof setting['proxy'] === 'string' && setting['proxy'].trim() !== '' ? setting['proxy'].trim() : undefined
  const address = (row.base_url === '' ? (findVendor(row.type)?.baseUrl ?? '') : row.base_url).replace(/\/+$/, '')
  return { id, type: row.type, address, key, proxy }
}
