import { z } from 'zod'
import { DAY_SECONDS, UnixSeconds } from '../units.ts'

/** How long before its end a key counts as expiring, and root is notified. */
export const EXPIRING_SECONDS = 7 * DAY_SECONDS

/** Settings of operators for one of a channel's keys. Evidence of the vendor's refusal is in `other_info` (channel-info.ts). */
const KeyState = z.object({
  /** Disabled by an operator. */
  disabled_at: UnixSeconds.optional(),
  reason: z.string().optional(),
  /** New requests do not use the key from this time on. */
  expires_at: UnixSeconds.optional(),
  added_at: UnixSeconds.optional(),
  /** Id of the key that replaces this one. */
  replaced_by: z.string().optional(),
  /** The `expires_at` that root was notified of. */
  noticed: UnixSeconds.optional(),
})
export type KeyState = z.infer<typeof KeyState>

/** A channel's `key_states`, by key id. */
const KeyStates = z.record(z.string(), KeyState)
export type KeyStates = Readonly<Record<string, KeyState>>

/** Reads `key_states`; unreadable text gives none. */
export function parseKeyStates(text: string): KeyStates {
  if (text === '') return {}
  try {
    return KeyStates.safeParse(JSON.parse(text)).data ?? {}
  } catch {
    // Not JSON: written by another version.
    return {}
  }
}

/** The columns of a channel's key states: their text, and the earliest expiry of a key (0: none expires). */
export function toKeyStateColumns(states: KeyStates): { key_states: string; key_expires_at: number } {
  const kept = Object.fromEntries(Object.entries(states).filter(([, state]) => Object.values(state).some((value) => value !== undefined)))
  const expiries = Object.values(kept).flatMap(({ expires_at }) => expires_at ?? [])
  return {
    key_states: Object.keys(kept).length === 0 ? '' : JSON.stringify(kept),
    key_expires_at: expiries.length === 0 ? 0 : Math.min(...expiries),
  }
}

/** One of a channel's keys as administrators see it. */
export const ChannelKey = z.object({
  key_id: z.string(),
  /** The last four characters; empty for a short key. */
  tail: z.string(),
  /** `auto-disabled`: the vendor refused it. `expired` wins over `draining`. */
  state: z.enum(['enabled', 'draining', 'disabled', 'auto-disabled', 'expired']),
  /** Why and when it was disabled; the time is 0 for a key in service. */
  reason: z.string(),
  time: UnixSeconds,
  /** HTTP status of the vendor's refusal; 0: none. */
  status: z.int(),
  /** 0: does not expire. */
  expires_at: UnixSeconds,
  /** 0: not known. */
  added_at: UnixSeconds,
  /** Last characters of the key that replaces it; empty: none. */
  replaced_by: z.string(),
  /** The last read of its balance, for a channel with several keys; a null amount could not be read, for the reason in `detail`. */
  balance: z.object({ amount: z.number().nullable(), at: UnixSeconds, detail: z.string() }).optional(),
})
export type ChannelKey = z.infer<typeof ChannelKey>
