import { BoundedMap } from '@tollgate/contracts/values/bounded-map'
import type { UnixSeconds } from '@tollgate/contracts/units'

/** Hosts that failed several times in a row; per user, because one user's address says nothing about another's. */
export type TargetRests = {
  /** Until when no delivery to this target is tried; 0: now. */
  until(target: string): UnixSeconds
  answered(target: string): void
  failed(target: string, now: UnixSeconds): void
}

const FAILURES = 3
const FIRST_REST_S = 15
const LONGEST_REST_S = 900
const MAX_TARGETS = 5000

export function createTargetRests(): TargetRests {
  const targets = new BoundedMap<{ readonly failures: number; readonly until: UnixSeconds }>(MAX_TARGETS)
  return {
    until: (target) => targets.get(target)?.until ?? 0,
    answered: (target) => targets.delete(target),
    failed: (target, now) => {
      const failures = (targets.get(target)?.failures ?? 0) + 1
      const rest = failures < FAILURES ? 0 : Math.min(LONGEST_REST_S, FIRST_REST_S * 2 ** Math.min(failures - FAILURES, 10))
      targets.set(target, { failures, until: rest === 0 ? 0 : now + rest })
    },
  }
}
