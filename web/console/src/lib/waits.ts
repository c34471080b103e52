/** State of the calls that wait. */
export type Waits = {
  /** When calls that were refused as too many are repeated, in milliseconds; undefined: none was. */
  readonly limitedUntil: number | undefined
  /** A call has had no answer for longer than usual. */
  readonly isSlow: boolean
  /** A call failed because the server or a store was away; until all of them answer again. */
  readonly hasFailed: boolean
}

const NONE: Waits = { limitedUntil: undefined, isSlow: false, hasFailed: false }
/** With the probe of the stores, a page says within three seconds what is away. */
const SLOW_MS = 1000

let waits = NONE
let slow = 0
const listeners = new Set<() => void>()

function set(change: Partial<Waits>): void {
  waits = { ...waits, ...change }
  for (const listener of listeners) listener()
}

/** For `useSyncExternalStore`. */
export const openWaits = {
  current: (): Waits => waits,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** Notes that calls are repeated after this time. */
export function noteLimit(ms: number): void {
  const until = Date.now() + ms
  if (until <= (waits.limitedUntil ?? 0)) return
  set({ limitedUntil: until })
  setTimeout(() => {
    if (waits.limitedUntil === until) set({ limitedUntil: undefined })
  }, ms)
}

export function noteAway(hasFailed: boolean): void {
  if (waits.hasFailed !== hasFailed) set({ hasFailed })
}

/** Follows a call until it is answered or fails. */
export async function watched<T>(call: Promise<T>): Promise<T> {
  let isSlow = false
  const timer = setTimeout(() => {
    isSlow = true
    slow += 1
    set({ isSlow: true })
  }, SLOW_MS)
  try {
    return await call
  } finally {
    clearTimeout(timer)
    if (isSlow) {
      slow -= 1
      set({ isSlow: slow > 0 })
    }
  }
}
