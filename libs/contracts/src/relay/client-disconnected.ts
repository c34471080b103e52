/**
 * Treatment of an upstream call whose client disconnected. `cancel`: abort it at once. `drain`: read on until the upstream reports its
 * usage, for a limited time. `auto`: drain whole answers and streams with hidden reasoning, whose cost only the usage tells; cancel other
 * streams.
 */
export const CLIENT_DISCONNECT_POLICIES = ['auto', 'cancel', 'drain'] as const
export type ClientDisconnectPolicy = (typeof CLIENT_DISCONNECT_POLICIES)[number]

/** Treatment of one call. */
export const CLIENT_DISCONNECT_ACTIONS = ['cancel', 'drain'] as const

/** Bounds of `drain_seconds`, in seconds; the default is that of option ClientDisconnectDrainSeconds. */
export const DRAIN_SECONDS = { min: 1, max: 600, default: 300 } as const

export type ClientDisconnectSetting = {
  readonly policy: ClientDisconnectPolicy
  /** Undefined: the option's. */
  readonly drain_seconds: number | undefined
}

/**
 * Reads the keys `client_disconnect` and `drain_seconds` of a channel's `setting`. A missing or invalid value gets its default, so that a
 * typing error does not stop a channel.
 */
export function readClientDisconnect({ client_disconnect, drain_seconds }: Readonly<Record<string, unknown>>): ClientDisconnectSetting {
  const { min, max } = DRAIN_SECONDS
  return {
    policy: CLIENT_DISCONNECT_POLICIES.find((known) => known === client_disconnect) ?? 'auto',
    drain_seconds: typeof drain_seconds === 'number' && drain_seconds >= min && drain_seconds <= max ? drain_seconds : undefined,
  }
}
