import type { ChannelSnapshot } from '@tollgate/contracts/snapshot'
import type { UpstreamFailure } from '@tollgate/contracts/upstream-failure'
import type { RequestFacts } from '@tollgate/providers/chat/model-request'

/** Channels whose vendor refuses `stream_options`. Learned by each process, and forgotten when the channel changes. */
const refusing = new WeakSet<ChannelSnapshot>()

export function refusesStreamOptions(channel: ChannelSnapshot): boolean {
  return refusing.has(channel)
}

/**
 * Notes that a vendor refused the `stream_options` that the gateway asked for. Returns whether the call should be repeated without
 * them. Nothing is learned from options of the client's own, which may be wrong.
 */
export function learnStreamOptions(channel: ChannelSnapshot, facts: RequestFacts, { status, message, param }: UpstreamFailure): boolean {
  if (!facts.is_stream || facts.has_own_stream_options === true || refusing.has(channel)) return false
  const isRefusal = status !== undefined && status >= 400 && status < 500
  if (!isRefusal || !/stream_options|include_usage/.test(`${message} ${param ?? ''}`)) return false
  refusing.add(channel)
  return true
}
