import { sealedBy } from '@tollgate/config/sealing'
import { findChannel, findSealedKey, recordBalance } from '@tollgate/db/queries/channels'
import { joinSecrets, type SettingSecrets } from '@tollgate/domain/channel-choice/setting-secrets'
import { keysIn } from '@tollgate/domain/channel-choice/split-keys'
import type { Handler, JobResult } from '@tollgate/jobs/jobs'
import { readBalance } from '@tollgate/upstream/balance'
import type { Deps } from '../deps.ts'
import { applyBalance } from '../health-of-channels/test-evidence.ts'
import { toSetting } from '../health-of-channels/to-setting.ts'

/** Safe to run twice: stores the latest balance. */
export const updateBalance =
  (deps: Deps): Handler<'update-balance'> =>
  ({ channel_id }) =>
    updateOneBalance(deps, channel_id)

/** Reads and stores the balance of a channel's first key. */
export async function updateOneBalance(deps: Deps, id: number): Promise<JobResult<'update-balance'>> {
  const { db, channelKeys, outbound } = deps
  const row = await findChannel(db, id)
  const stored = await findSealedKey(db, id)
  if (row === undefined || stored === undefined) return { problem: 'missing', detail: '', status: 0 }
  const setting = joinSecrets(toSetting(row.setting), secretsOf(deps, row))
  const [key = ''] = keysIn(channelKeys.unseal(stored.key_sealed, sealedBy.channelKey(id)), setting)
  const proxy = typeof setting['proxy'] === 'string' && setting['proxy'] !== '' ? setting['proxy'] : undefined
  const read = await readBalance(outbound, { type: row.type, base_url: row.base_url, key, proxy, now: deps.now() })
  if (read.kind === 'problem') return { problem: read.problem, detail: read.detail, status: read.status }
  await recordBalance(db, { id, balance: read.balance, now: Math.floor(deps.now() / 1000) })
  const change = await applyBalance(deps, id, read.balance)
  return { balance: read.balance, detail: '', status: read.status, ...(change === undefined ? {} : { change }) }
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
