import { OutboundError } from './errors.ts'
import type { Outbound } from './outbound.ts'
import { request } from './request.ts'

const TIMEOUT_MS = 20_000
/** litellm's price file has 3 MB, that of models.dev 2 MB. */
const MAX_BYTES = 16 * 1024 * 1024

/** `reason` may be shown: a kind of failure or an HTTP status. `cause` is for the log only. */
export type FetchedFile = { readonly bytes: Buffer } | { readonly reason: string; readonly cause?: OutboundError }

/** The bytes of another party's JSON file. A failure below HTTP and any status but 200 are results, not errors. */
export async function fetchFile(outbound: Pick<Outbound, 'dispatch'>, url: string): Promise<FetchedFile> {
  const headers = { accept: 'application/json', 'user-agent': 'tollgate' }
  try {
    const { status, body } = await request(outbound, { url, headers, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })
    return status === 200 ? { bytes: body } : { reason: `HTTP ${status}` }
  } catch (cause) {
    if (!(cause instanceof OutboundError)) throw cause
    return { reason: cause.failure, cause }
  }
}
