import { OutboundError } from '@tollgate/outbound/errors'
import type { Outbound } from '@tollgate/outbound/outbound'
import { findVendor, vendors } from '@tollgate/providers/vendors/index'
import type { Renewed } from '@tollgate/providers/vendors/renewal'

const TIMEOUT_MS = 10_000

/** Channel types whose keys are renewed. */
export const renewableTypes: readonly number[] = Object.values(vendors)
  .filter(({ renewal }) => renewal !== undefined)
  .map(({ channelType }) => channelType)

/** Unix milliseconds at which a key stops working; undefined if it does not, or cannot be renewed. */
export function keyExpiry(type: number, key: string): number | undefined {
  return findVendor(type)?.renewal?.expiresAt(key)
}

type RenewalInput = { readonly type: number; readonly key: string; readonly proxy: string | undefined }

/** Exchanges a key at its vendor. The old key may be void afterwards, so the new one must be stored. */
export async function renewKey(outbound: Pick<Outbound, 'request'>, { type, key, proxy }: RenewalInput): Promise<Renewed> {
  const renewal = findVendor(type)?.renewal
  const call = renewal?.request(key)
  if (renewal === undefined || call === undefined) return { kind: 'failed', message: 'the key cannot be renewed' }
  try {
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: 64 * 1024, poolKey: 'key-renewal' }
    const answer = await outbound.request({ method: 'POST', ...call, ...limits, proxy })
    return renewal.read(key, answer.status, answer.body.toString())
  } catch (error) {
    if (error instanceof OutboundError) return { kind: 'failed', message: error.message }
    throw error
  }
}
