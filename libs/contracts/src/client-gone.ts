import { z } from 'zod'
import { Millis } from './units.ts'

/**
 * What a relay does with a call whose client has left. `cancel`: stop upstream at once. `drain`: read on until upstream has
 * reported its usage, for so many seconds at most.
 */
export const CLIENT_GONE_POLICIES = ['cancel', 'drain'] as const
export type ClientGonePolicy = (typeof CLIENT_GONE_POLICIES)[number]

/** Bounds of `drain_seconds`, in seconds. */
export const DRAIN_SECONDS = { min: 1, max: 600, default: 60 } as const

/** The two keys of a channel's `setting`; every other key is somebody else's. */
const Keys = z.object({
  client_gone: z.enum(CLIENT_GONE_POLICIES).catch('cancel'),
  drain_seconds: z.number().min(DRAIN_SECONDS.min).max(DRAIN_SECONDS.max).catch(DRAIN_SECONDS.default),
})

export type ClientGoneSetting = { readonly policy: ClientGonePolicy; readonly drain_seconds: number }

/** Reads a channel's `setting`; what is absent or unreadable has its default: a typing error must not stop a channel. */
export function readClientGone(setting: Readonly<Record<string, unknown>>): ClientGoneSetting {
  const { client_gone, drain_seconds } = Keys.parse(setting)
  return { policy: client_gone, drain_seconds }
}

/** What became of a call whose client left, for the explanation. */
export const ClientGone = z.object({
  policy: z.enum(CLIENT_GONE_POLICIES),
  /** Offset from the request's start. */
  left_ms: Millis,
  /** `drain` alone: upstream had not finished when the time was over. */
  is_capped: z.boolean(),
})
export type ClientGone = z.infer<typeof ClientGone>
