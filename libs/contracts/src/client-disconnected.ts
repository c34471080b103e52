/**
 * What a relay does with an upstream call whose client disconnected. `cancel`: abort it at once. `drain`: read on until the upstream
 * reports its usage, for a limited number of seconds.
 */
export const CLIENT_DISCONNECT_POLICIES = ['cancel', 'drain'] as const
export type ClientDisconnectPolicy = (typeof CLIENT_DISCONNECT_POLICIES)[number]

/** Bounds of `drain_seconds`, in seconds. */
export const DRAIN_SECONDS = { min: 1, max: 600, default: 60 } as const

export type ClientDisconnectSetting = { readonly policy: ClientDisconnectPolicy; readonly drain_seconds: number }

/**
 * Reads the keys `client_disconnect` and `drain_seconds` of a channel's `setting`. A missing or invalid value gets its default, so that a
 * typing error does not stop a channel.
 */
export function readClientDisconnect({ client_disconnect, drain_seconds }: Readonly<Record<string, unknown>>): ClientDisconnectSetting {
  const { min, max, default: usual } = DRAIN_SECONDS
  return {
    policy: client_disconnect === 'drain' ? 'drain' : 'cancel',
    drain_seconds: typeof drain_seconds === 'number' && drain_seconds >= min && drain_seconds <= max ? drain_seconds : usual,
  }
}
