import type { OutboundError, OutboundFailure } from '@tollgate/outbound/errors'
import type { UpstreamFailure } from '@tollgate/domain/channel-health/judge'

const KINDS: Readonly<Record<OutboundFailure, UpstreamFailure['kind']>> = {
  blocked: 'network',
  dns: 'network',
  connect: 'network',
  reset: 'network',
  invalid: 'network',
  timeout: 'timeout',
  aborted: 'aborted',
  'too-large': 'malformed',
  malformed: 'malformed',
}

/** Maps a connection failure. The message may contain addresses: show it to administrators only. */
export function toUpstreamFailure(error: OutboundError): UpstreamFailure {
  return { kind: KINDS[error.failure], code: error.failure, message: error.message }
}
