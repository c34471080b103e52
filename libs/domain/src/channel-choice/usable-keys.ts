import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import type { UnixSeconds } from '@tollgate/contracts/units'
import type { KeyIds } from './choice.ts'

type Facts = Pick<ChannelSnapshot, 'keys_out' | 'key_expiry'>
export type UsableKeys = {
  readonly key_ids: KeyIds
  /** The first of these keys expires then; Infinity: none does. */
  readonly until: UnixSeconds
}

/** The keys that a new request may use: those that are neither disabled nor expired. */
export function usableKeys(key_ids: KeyIds, { keys_out, key_expiry }: Facts, now: UnixSeconds): UsableKeys {
  if (keys_out === undefined && key_expiry === undefined) return { key_ids, until: Infinity }
  const out = new Set(keys_out)
  const expiryOf = (key_id: string): UnixSeconds => key_expiry?.[key_id] ?? Infinity
  const usable = key_ids.filter((key_id) => !out.has(key_id) && expiryOf(key_id) > now)
  return { key_ids: usable, until: usable.reduce((least, key_id) => Math.min(least, expiryOf(key_id)), Infinity) }
}
