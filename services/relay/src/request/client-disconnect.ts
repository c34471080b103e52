import { readClientDisconnect } from '@tollgate/contracts/client-disconnected'
import type { Departure } from './abort.ts'
import type { RequestRecord } from './record.ts'

type Follower = {
  /** End the upstream call now. */
  readonly onStop: () => void
  /** Read on: nobody is there to write to. */
  readonly onDrain?: () => void
}

/**
 * Watches a running upstream call for its client: when that leaves, the call ends at once or is read on for a while, as the channel
 * says; when this process must stop, it ends. The result takes the watch away again.
 */
export function followClient(record: RequestRecord, departure: Departure, { onStop, onDrain }: Follower): () => void {
  let cap: NodeJS.Timeout | undefined
  const onLeft = () => {
    const { left_ms } = departure
    if (departure.isStopping || left_ms === undefined) return onStop()
    const { policy, drain_seconds } = readClientDisconnect(record.channel?.setting ?? {})
    record.client_disconnect = { policy, left_ms, is_capped: false }
    if (policy === 'cancel') return onStop()
    onDrain?.()
    const rest_ms = left_ms + drain_seconds * 1000 - record.context.clock.elapsed()
    cap = setTimeout(() => {
      record.client_disconnect = { policy, left_ms, is_capped: true }
      onStop()
    }, rest_ms)
  }
  departure.follow(onLeft)
  if (departure.isGone) onLeft()
  return () => {
    clearTimeout(cap)
    departure.follow(undefined)
  }
}
