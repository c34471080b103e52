import type { DisableReason } from '@tollgate/contracts/channels/channel-info'
import type { ChannelKey, KeyState, KeyStates } from '@tollgate/contracts/channels/channel-keys'
import type { UnixSeconds } from '@tollgate/contracts/units'

type Facts = {
  readonly states: KeyStates
  /** Why the vendor's answers disabled keys, by key id. */
  readonly evidence: Readonly<Record<string, DisableReason>>
  readonly tails: ReadonlyMap<string, string>
  readonly now: UnixSeconds
}

/** A key as administrators see it. */
export function toKeyView({ key_id, tail }: { readonly key_id: string; readonly tail: string }, facts: Facts): ChannelKey {
  const { states, evidence, tails, now } = facts
  const state = states[key_id] ?? {}
  const refusal = evidence[key_id]
  const { expires_at = 0, added_at = 0, replaced_by } = state
  const shown = { key_id, tail, expires_at, added_at, replaced_by: replaced_by === undefined ? '' : (tails.get(replaced_by) ?? '') }
  if (state.disabled_at !== undefined)
    return { ...shown, state: 'disabled', reason: state.reason ?? '', time: state.disabled_at, status: 0 }
  if (refusal !== undefined)
    return { ...shown, state: 'auto-disabled', reason: refusal.status_reason, time: refusal.status_time, status: refusal.status ?? 0 }
  return { ...shown, state: stateInService(state, now), reason: '', time: 0, status: 0 }
}

function stateInService({ expires_at, replaced_by }: KeyState, now: UnixSeconds): ChannelKey['state'] {
  if (expires_at === undefined) return 'enabled'
  if (expires_at <= now) return 'expired'
  return replaced_by === undefined ? 'enabled' : 'draining'
}
