import { status, type Store } from '@tollgate/contracts/resources/status'
import { addressOf } from './api.ts'

export type Away = readonly (Store | 'server')[]

const PATIENCE_MS = 1400

/** Which stores do not answer; `server`: nothing answers. Not a call as the others: it must not be waited for like them. */
export async function fetchAway(signal: AbortSignal): Promise<Away> {
  try {
    const response = await fetch(addressOf(status.stores, undefined, undefined), {
      cache: 'no-store',
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
    })
    if (!response.ok) return ['server']
    const { data } = (await response.json()) as { data: readonly Store[] } // our own server, by its contract
    return data
  } catch {
    // No answer in time: that is the finding.
    return ['server']
  }
}
