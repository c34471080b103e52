import { z } from 'zod'
import { ChannelKey } from '../channels/channel-keys.ts'
import { IdParams, textOrNull } from '../values/common-schemas.ts'
import { endpoint } from '../endpoint.ts'
import { UnixSeconds } from '../units.ts'

const Expiry = UnixSeconds.nullish()
const KEYS_TEXT_MAX = 2_000_000

export const NewKeys = z.object({
  /** One per line, or a JSON array. */
  keys: z.string().max(KEYS_TEXT_MAX).default(''),
  expires_at: Expiry,
  /** For a channel that gets its second key: `random` (default) or `polling`. */
  multi_key_mode: textOrNull(32),
})
export type NewKeys = z.infer<typeof NewKeys>

export const AddedKeys = z.object({ added: z.int(), known: z.int() })
export type AddedKeys = z.infer<typeof AddedKeys>

export const KEY_ACTIONS = ['enable', 'disable', 'expire', 'delete'] as const
export const KeysChange = z.object({
  key_ids: z.array(z.string().max(40)).max(10_000).default([]),
  action: z.enum(KEY_ACTIONS),
  /** With `expire`; null: never. */
  expires_at: Expiry,
  /** With `disable`. */
  reason: z.string().max(200).default(''),
})
export type KeysChange = z.infer<typeof KeysChange>

/** The longest time in which the old and the new key are both used. */
const OVERLAP_HOURS_MAX = 720
export const KeyRotation = z.object({
  /** The key to replace. */
  key_id: z.string().max(40),
  /** The new key. */
  key: z.string().max(100_000),
  /** How long both are used; 0: the old one gets no new request from now on. */
  overlap_hours: z.int().min(0).max(OVERLAP_HOURS_MAX).default(24),
})
export type KeyRotation = z.infer<typeof KeyRotation>

/** The keys of one channel. */
export const channelKeys = {
  list: endpoint({
    method: 'GET',
    path: '/api/channel/{id}/keys',
    access: 'admin',
    summary: 'The keys of a channel by their last four characters, with their states (ours)',
    params: IdParams,
    data: z.array(ChannelKey),
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/channel/{id}/keys',
    access: 'admin',
    summary: 'Adds keys to a channel (ours)',
    params: IdParams,
    body: NewKeys,
    data: AddedKeys,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/channel/{id}/keys',
    access: 'admin',
    summary: 'Enables, disables, dates or deletes keys of a channel (ours)',
    params: IdParams,
    body: KeysChange,
  }),
  rotate: endpoint({
    method: 'POST',
    path: '/api/channel/{id}/keys/rotate',
    access: 'admin',
    summary: 'Adds a key that replaces another one, which is used until the end of the overlap (ours)',
    params: IdParams,
    body: KeyRotation,
  }),
}
