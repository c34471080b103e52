import { BoundedMap } from '@tollgate/contracts/values/bounded-map'

export type AddressLimit = {
  /** Counts one unknown key; returns whether the address is still within its limit. */
  count(ip: string, now: number): boolean
  /** Milliseconds until the address may try again; 0: now. */
  waitOf(ip: string, now: number): number
}

type Window = { count: number; ends: number }

/** Limits unknown keys per address in a fixed window, for the last 10 000 addresses. */
export function createAddressLimit({ max, window_ms }: { readonly max: number; readonly window_ms: number }): AddressLimit {
  const windows = new BoundedMap<Window>(10_000)
  const current = (ip: string, now: number): Window => {
    const known = windows.get(ip)
    if (known !== undefined && known.ends > now) return known
    const fresh = { count: 0, ends: now + window_ms }
    windows.set(ip, fresh)
    return fresh
  }
  return {
    count: (ip, now) => {
      const window = current(ip, now)
      window.count += 1
      return window.count <= max
    },
    waitOf: (ip, now) => {
      const window = windows.get(ip)
      return window === undefined || window.ends <= now || window.count < max ? 0 : window.ends - now
    },
  }
}
