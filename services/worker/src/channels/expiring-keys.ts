import { keyIdOf, sealedBy } from '@tollgate/config/sealing'
import { EXPIRING_SECONDS, parseKeyStates, toKeyStateColumns, type KeyStates } from '@tollgate/contracts/channels/channel-keys'
import { listExpiringKeys, lockChannelHealth } from '@tollgate/db/queries/channels/channel-health'
import { updateChannels } from '@tollgate/db/queries/channels/channels'
import { notifyRoots } from '@tollgate/db/queries/deliveries/notifications'
import { keyTailOf } from '@tollgate/domain/channel-choice/key-tail'
import { keysIn } from '@tollgate/domain/channel-choice/split-keys'
import type { Deps } from '../deps.ts'
import { toSetting } from './to-setting.ts'

/** Notifies root once of each key that expires within seven days, unless another key already replaces it. Returns the number of keys. */
export async function noticeExpiringKeys(deps: Pick<Deps, 'db' | 'channelKeys' | 'now'>): Promise<number> {
  const now = Math.floor(deps.now() / 1000)
  const due = await listExpiringKeys(deps.db, { before: now + EXPIRING_SECONDS })
  let noticed = 0
  for (const { id, key_states } of due) {
    if (expiringIn(parseKeyStates(key_states), now).length > 0) noticed += await noticeOne(deps, id, now)
  }
  return noticed
}

/** Ids of the keys that expire soon and whose expiry was not announced. */
function expiringIn(states: KeyStates, now: number): readonly string[] {
  return Object.entries(states).flatMap(([key_id, { expires_at = Infinity, noticed, replaced_by, disabled_at }]) =>
    expires_at <= now + EXPIRING_SECONDS && noticed !== expires_at && replaced_by === undefined && disabled_at === undefined
      ? [key_id]
      : [],
  )
}

function noticeOne({ db, channelKeys }: Pick<Deps, 'db' | 'channelKeys'>, id: number, now: number): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const row = await lockChannelHealth(tx, id)
    if (row === undefined) return 0
    const states = parseKeyStates(row.key_states)
    const expiring = expiringIn(states, now)
    if (expiring.length === 0) return 0
    const keys = keysIn(channelKeys.unseal(row.key_sealed, sealedBy.channelKey(id)), toSetting(row.setting))
    const tails = keys.filter((key) => expiring.includes(keyIdOf(key))).map(keyTailOf)
    const first = Math.min(...expiring.flatMap((key_id) => states[key_id]?.expires_at ?? []))
    const values = { id: String(id), name: row.name, keys: tails.join(', '), time: new Date(first * 1000).toISOString() }
    await notifyRoots(tx, { notice: 'channel-key-expires', values, now })
    const told = Object.fromEntries(expiring.map((key_id) => [key_id, { ...states[key_id], noticed: states[key_id]?.expires_at }]))
    await updateChannels(tx, { ids: [id], patch: toKeyStateColumns({ ...states, ...told }) })
    return expiring.length
  })
}
