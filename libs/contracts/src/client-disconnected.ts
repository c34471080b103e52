/**
 * What a relay does with a call whose client has left. `cancel`: stop upstream at once. `drain`: read on until upstream has
 * reported its usage, for so many seconds at most.
 */
export const CLIENT_DISCONNECT_POLICIES = ['cancel', 'drain'] as const
export type ClientDisconnectPolicy = (typeof CLIENT_DISCONNECT_POLICIES)[number]

/** Bounds of `drain_seconds`, in seconds. */
export const DRAIN_SECONDS = { min: 1, max: 600, default: 60 } as const

export type ClientDisconnectSetting = { readonly policy: ClientDisconnectPolicy; readonly drain_seconds: number }

/**
 * Reads the two keys of a channel's `setting`, `client_disconnect` and `drain_seconds`. What is absent or wrong has its default: a typing
 * error must not stop a channel.
 */
export function readClientDisconnect({ client_disconnect, drain_seconds }: Readonly<Record<string, unknown>>): ClientDisconnectSetting {
  const { min, max, default: usual } = DRAIN_SECONDS
  return {
    policy: client_disconnect === 'drain' ? 'drain' : 'cancel',
    drain_seconds: typeof drain_seconds === 'number' && drain_seconds >= min && drain_seconds <= max ? drain_seconds : usual,
  }
}
