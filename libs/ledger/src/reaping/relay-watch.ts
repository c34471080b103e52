/**
 * Decides which relays are dead: a relay is dead when its heartbeat counter stood still for `deadAfterMs` of this process's monotonic
 * clock while Redis answered every probe in time. A late or failed probe, or a pause of this process, restarts the time of all relays.
 */
export type RelayWatch = {
  /** Watches exactly these relays (those with open holds). The time of one that is new starts now. */
  watchOnly(relayIds: Iterable<string>): void
  relayIds(): string[]
  /** The answer of one probe: the counters in the order of `relayIds()`. */
  observe(counters: readonly (string | null)[]): void
  /** Restarts the time of all relays: a probe was late or failed, or this process was paused. */
  restart(): void
  isDead(relayId: string): boolean
}

type Seen = { counter: string | null | undefined; since: number }

const LONGEST_GAP_MS = 5000

export function createRelayWatch({
  deadAfterMs,
  monotonic,
}: {
  readonly deadAfterMs: number
  readonly monotonic: () => number
}): RelayWatch {
  const seen = new Map<string, Seen>()
  let lastObserved = monotonic()

  const restart = (): void => {
    const since = monotonic()
    for (const entry of seen.values()) entry.since = since
    lastObserved = since
  }
  return {
    relayIds: () => [...seen.keys()],
    restart,
    watchOnly: (relayIds) => {
      const present = new Set(relayIds)
      for (const known of seen.keys()) if (!present.has(known)) seen.delete(known)
      for (const relayId of present) if (!seen.has(relayId)) seen.set(relayId, { counter: undefined, since: monotonic() })
    },
    observe: (counters) => {
      const at = monotonic()
      if (at - lastObserved > LONGEST_GAP_MS) restart()
      lastObserved = at
      for (const [index, entry] of [...seen.values()].entries()) {
        const counter = counters[index] ?? null
        if (entry.counter !== counter) entry.since = at
        entry.counter = counter
      }
    },
    isDead: (relayId) => {
      const entry = seen.get(relayId)
      const at = monotonic()
      return entry?.counter !== undefined && at - entry.since >= deadAfterMs && at - lastObserved <= LONGEST_GAP_MS
    },
  }
}
