import type { UsageEventBody } from '@tollgate/contracts/relay/usage-event'

type Ending = Pick<UsageEventBody, 'ended_by' | 'client_status'>

/**
 * True if a request failed without the client's doing (docs/guides/status-page.md): it counts against the model's availability. A refusal
 * of the vendor that names the request as wrong is the client's doing, a vendor that takes no more requests is not.
 */
export function isFault({ ended_by, client_status }: Ending): boolean {
  if (ended_by === 'complete' || ended_by === 'client-disconnected') return false
  // A success status was sent before the answer broke off; a process that ended sent none.
  if (client_status < 400 || client_status >= 500) return true
  return client_status === 429 && ended_by === 'upstream-failed'
}
