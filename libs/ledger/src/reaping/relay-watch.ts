/**
 * Judges which owners of holds are dead: their counter stood still for `deadAfterMs` of our own monotonic clock, during all of which
 * Redis answered our probes in time. Whatever makes that doubtful starts the time anew for everybody (ledger.md section 7).
 */
export type RelayWatch = {
  /** Owners of open holds; one that is new is watched from now on, one without holds is forgotten. */
  follow(owners: Iterable<string>): void
  owners(): string[]
  /** One probe's answer: the counters in the order of `owners()`. */
  observe(counters: readonly (string | null)[]): void
  /** A probe was late or failed, or we were asleep. */
  startAnew(): void
  isDead(relay_id: string): boolean
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

  const startAnew = (): void => {
    const since = monotonic()
    for (const entry of seen.values()) entry.since = since
    lastObserved = since
  }
  return {
    owners: () => [...seen.keys()],
    startAnew,
    follow: (owners) => {
      const present = new Set(owners)
      for (const known of seen.keys()) if (!present.has(known)) seen.delete(known)
      for (const relay_id of present) if (!seen.has(relay_id)) seen.set(relay_id, { counter: undefined, since: monotonic() })
    },
    observe: (counters) => {
      const at = monotonic()
      if (at - lastObserved > LONGEST_GAP_MS) startAnew()
      lastObserved = at
      for (const [index, entry] of [...seen.values()].entries()) {
        const counter = counters[index] ?? null
        if (entry.counter !== counter) entry.since = at
        entry.counter = counter
      }
    },
    isDead: (relay_id) => {
      const entry = seen.get(relay_id)
      const at = monotonic()
      return entry?.counter !== undefined && at - entry.since >= deadAfterMs && at - lastObserved <= LONGEST_GAP_MS
    },
  }
}
