import type { UnixSeconds } from '@tollgate/contracts/units'

const FIRST_WAIT_S = 15
const LONGEST_WAIT_S = 900
/** A code is of no use after two hours; a notice is still news after two days. */
const LIFETIME_S = { code: 2 * 3600, notice: 48 * 3600 } as const

type Tried = { readonly template: string; readonly attempts: number; readonly created_at: UnixSeconds }

/** When a failed delivery is due again; undefined when it is given up. */
export function nextAttempt({ template, attempts, created_at }: Tried, now: UnixSeconds): UnixSeconds | undefined {
  const lifetime = template === 'verification' || template === 'reset' ? LIFETIME_S.code : LIFETIME_S.notice
  if (now - created_at >= lifetime) return undefined
  return now + Math.min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** Math.min(attempts - 1, 10))
}
