import { readClientDisconnect } from '@tollgate/contracts/client-disconnected'
import type { RequestAbort } from './abort.ts'
import type { RequestRecord } from './record.ts'

type Listener = {
  /** End the upstream call now. */
  readonly onStop: () => void
  /** Keep reading upstream without writing to the client. */
  readonly onDrain?: () => void
}

/**
 * Applies the channel's disconnect policy to a running upstream call: when the client disconnects, the call ends at once or is read on
 * for `drain_seconds`; on shutdown it ends at once. Returns a function that stops watching.
 */
export function watchDisconnect(record: RequestRecord, abort: RequestAbort, { onStop, onDrain }: Listener): () => void {
  let deadline: NodeJS.Timeout | undefined
  const onAbort = () => {
    const { left_ms } = abort
    if (abort.reason === 'shutting-down' || left_ms === undefined) return onStop()
    const { policy, drain_seconds } = readClientDisconnect(record.channel?.setting ?? {})
    record.client_disconnect = { policy, left_ms, is_capped: false }
    if (policy === 'cancel') return onStop()
    onDrain?.()
    const rest_ms = left_ms + drain_seconds * 1000 - record.context.clock.elapsed()
    deadline = setTimeout(() => {
      record.client_disconnect = { policy, left_ms, is_capped: true }
      onStop()
    }, rest_ms)
  }
  abort.onAbort(onAbort)
  if (abort.aborted) onAbort()
  return () => {
    clearTimeout(deadline)
    abort.onAbort(undefined)
  }
}
