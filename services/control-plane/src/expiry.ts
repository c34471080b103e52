import type { UnixSeconds } from '@tollgate/contracts/units'

/** Far beyond any expiry, and below every time in milliseconds. */
const LATEST_EXPIRY = 100_000_000_000

/** True if an expiry lies ahead and is meant in seconds. */
export function isAhead(expiry: UnixSeconds, now: UnixSeconds): boolean {
  return expiry > now && expiry <= LATEST_EXPIRY
}
