import type { ErrorCode } from '@tollgate/contracts/errors'
import { fromFault } from '@tollgate/contracts/failures/fault'
import type { OutboundFailure } from '@tollgate/outbound/errors'

const CODES = {
  blocked: 'channel-fault.blocked',
  dns: 'channel-fault.dns',
  connect: 'channel-fault.connect',
  timeout: 'channel-fault.timeout',
  reset: 'channel-fault.reset',
  aborted: 'channel-fault.aborted',
  'too-large': 'channel-fault.too-large',
  malformed: 'channel-fault.malformed',
  invalid: 'channel-fault.invalid',
} as const satisfies Record<OutboundFailure, ErrorCode>

/** Instead of the message of a failed connection, which may contain addresses. */
export const outboundFault = (failure: OutboundFailure): ReturnType<typeof fromFault> => fromFault(CODES[failure])
