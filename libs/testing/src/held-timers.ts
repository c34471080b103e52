import { vi } from 'vitest'

export type HeldTimers = {
  /** Moves the clock of the held timers and runs those that are due. */
  advance(ms: number): void
  restore(): void
}

/**
 * Holds timers of exactly `delayMs`, which then run by `advance` only. Every other timer runs as usual: connections of databases, which a
 * test may need at any time, are made with timers.
 */
export function holdTimers(delayMs: number): HeldTimers {
  const { setTimeout: realSet, clearTimeout: realClear } = globalThis
  const held = new Map<unknown, { readonly dueAt: number; readonly run: () => void }>()
  let now = 0
  const set = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
    run: (...args: unknown[]) => void,
    ms?: number,
    ...args: unknown[]
  ) => {
    if (ms !== delayMs) return realSet(() => run(...args), ms)
    const handle = { ref: () => handle, unref: () => handle, hasRef: () => false, refresh: () => handle }
    held.set(handle, { dueAt: now + delayMs, run })
    return handle
  }) as typeof setTimeout)
  const clear = vi.spyOn(globalThis, 'clearTimeout').mockImplementation(((handle: NodeJS.Timeout | undefined) => {
    if (!held.delete(handle)) realClear(handle)
  }) as typeof clearTimeout)
  return {
    advance: (ms) => {
      now += ms
      for (const [handle, { dueAt, run }] of held) {
        if (dueAt > now) continue
        held.delete(handle)
        run()
      }
    },
    restore: () => {
      set.mockRestore()
      clear.mockRestore()
    },
  }
}
