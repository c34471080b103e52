import { keyIdOf, sealedBy } from '@tollgate/config/sealing'
import { encodeChannelInfo, parseChannelInfo, withoutDisableReason } from '@tollgate/contracts/channels/channel-info'
import { parseKeyStates, toKeyStateColumns, type KeyStates } from '@tollgate/contracts/channels/channel-keys'
import { listChannelsOfTypes, lockChannelHealth } from '@tollgate/db/queries/channels/channel-health'
import { findChannel, updateChannels } from '@tollgate/db/queries/channels/channels'
import { joinSecrets } from '@tollgate/domain/channel-choice/setting-secrets'
import { keysIn } from '@tollgate/domain/channel-choice/split-keys'
import type { Handler } from '@tollgate/jobs/jobs'
import { proxyOf } from '@tollgate/upstream/prepare'
import { keyExpiry, renewableTypes, renewKey } from '@tollgate/upstream/renew-key'
import type { Deps } from '../deps.ts'
import { saveStatus } from '../channels/incidents.ts'
import { toSetting } from '../channels/to-setting.ts'
import { weighIncident } from '../channels/weigh-incident.ts'
import { secretsOf } from '../channels/stored-channel.ts'

/** A key is renewed this long before it expires. */
const RENEW_BEFORE_MS = 3_600_000

type RenewDeps = Pick<Deps, 'db' | 'channelKeys' | 'outbound' | 'now'> & { readonly log: Pick<Deps['log'], 'info' | 'warn'> }
type Counts = { readonly renewed: number; readonly refused: number }

/**
 * Safe to run twice: a channel is locked while its key is exchanged, and a new key is not due. The row stays locked during the call
 * because a refresh token is valid once: two exchanges would void the sign-in.
 */
export const renewChannelKeys =
  (deps: RenewDeps): Handler<'renew-channel-keys'> =>
  async (_, { signal }) => {
    let counts: Counts = { renewed: 0, refused: 0 }
    for (const { id, type, key_sealed, setting } of await listChannelsOfTypes(deps.db, renewableTypes)) {
      if (signal.aborted) break
      const text = deps.channelKeys.unseal(key_sealed, sealedBy.channelKey(id))
      const due = keysIn(text, toSetting(setting)).filter((key) => isDue(deps, type, key))
      for (const key of due) counts = await renewOne(deps, { id, key, counts })
    }
    return counts
  }

function isDue({ now }: RenewDeps, type: number, key: string): boolean {
  const expiry = keyExpiry(type, key)
  return expiry !== undefined && expiry - RENEW_BEFORE_MS <= now()
}

/** The key text of a channel with one key exchanged. */
function replaceKey(text: string, setting: Readonly<Record<string, unknown>>, [old, fresh]: readonly [string, string]): string {
  const keys = keysIn(text, setting).map((key) => (key === old ? fresh : key))
  return keys.length > 1 && text.trim().startsWith('[') ? JSON.stringify(keys) : keys.join('\n')
}

/** The settings of operators for the old key are valid for the new one. */
function withSuccessor(states: KeyStates, [old, fresh]: readonly [string, string]): KeyStates {
  const entries = Object.entries(states).map(([key_id, state]) => {
    const { replaced_by } = state
    return [key_id === old ? fresh : key_id, replaced_by === old ? { ...state, replaced_by: fresh } : state] as const
  })
  return Object.fromEntries(entries)
}

type One = { readonly id: number; readonly key: string; readonly counts: Counts }

async function renewOne(deps: RenewDeps, { id, key, counts }: One): Promise<Counts> {
  const { db, channelKeys, outbound, log } = deps
  const now_s = Math.floor(deps.now() / 1000)
  const details = await findChannel(db, id)
  const proxy = details === undefined ? undefined : proxyOf(joinSecrets(toSetting(details.setting), secretsOf(deps, details)))
  const renewed = await db.transaction().execute(async (tx) => {
    const row = await lockChannelHealth(tx, id)
    if (row === undefined) return undefined
    const text = channelKeys.unseal(row.key_sealed, sealedBy.channelKey(id))
    const setting = toSetting(row.setting)
    // Changed meanwhile, by an operator or another worker.
    if (!keysIn(text, setting).includes(key)) return undefined
    const answer = await renewKey(outbound, { type: row.type, key, proxy })
    if (answer.kind === 'renewed') {
      const stored = replaceKey(text, setting, [key, answer.key])
      const states = withSuccessor(parseKeyStates(row.key_states), [keyIdOf(key), keyIdOf(answer.key)])
      const key_sealed = channelKeys.seal(stored, sealedBy.channelKey(id))
      await updateChannels(tx, {
        ids: [id],
        patch: { key_sealed, key_hash: channelKeys.fingerprint(stored), ...toKeyStateColumns(states) },
      })
      const info = withoutDisableReason(parseChannelInfo(row.other_info), keyIdOf(key))
      await saveStatus(tx, row, { status: row.status, other_info: encodeChannelInfo(info) }, now_s)
    }
    if (answer.kind === 'refused') {
      const evidence = {
        channel_id: id,
        channel_name: row.name,
        key_id: keyIdOf(key),
        at: deps.now(),
        reason: answer.message,
        status: 401,
        code: answer.code,
      }
      const patch = weighIncident({ row, incident: evidence, key: text, setting })
      if (patch !== undefined) await saveStatus(tx, row, patch, now_s)
    }
    return answer
  })
  if (renewed === undefined) return counts
  if (renewed.kind === 'renewed') {
    log.info({ channel_id: id }, 'Channel key renewed')
    return { ...counts, renewed: counts.renewed + 1 }
  }
  log.warn({ channel_id: id, reason: renewed.message }, 'Channel key could not be renewed')
  return renewed.kind === 'refused' ? { ...counts, refused: counts.refused + 1 } : counts
}
