import type { Limits } from '@tollgate/contracts/relay/limits'
import type { LimitedBy, LimitLeft, LimitState } from '../client/types.ts'
import { numberIn } from '../scripts/scripts.ts'

/** rpm, tpm and concurrency as script arguments; −1: no limit. */
export function limitArguments({ rpm, tpm, concurrency }: Limits): number[] {
  return [rpm ?? -1, tpm ?? -1, concurrency ?? -1]
}

/** Decodes the four numbers that `add_left` (limit-window.lua) appends to an answer. */
export function readLeft(reply: readonly unknown[], at: number, { rpm, tpm }: Limits): LimitState {
  const left = (limit: number | undefined, from: number): LimitLeft | undefined =>
    limit === undefined ? undefined : { limit, remaining: numberIn(reply, from), reset_ms: numberIn(reply, from + 1) }
  const requests = left(rpm, at)
  const tokens = left(tpm, at + 2)
  return { ...(requests === undefined ? {} : { requests }), ...(tokens === undefined ? {} : { tokens }) }
}

export function toLimitedBy(text: unknown): LimitedBy {
  if (text === 'requests' || text === 'tokens' || text === 'concurrency') return text
  throw new Error(`a limit script answered ${String(text)}`)
}
