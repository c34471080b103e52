import type { OutboundError, OutboundFailure } from '@tollgate/outbound/errors'
import type { UpstreamFailure } from '@tollgate/domain/channel-health/judge'
import { redactAccount, redactAccountIn } from '@tollgate/domain/secrets/redact-account'
import { redactKey, redactKeyIn } from '@tollgate/domain/secrets/redact-key'

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

/** Removes the channel's key from everything that the vendor said. */
export function redactFailure(failure: UpstreamFailure, key: string): UpstreamFailure {
  const { message, code, type, param, body } = failure
  return {
    ...failure,
    message: redactKey(message, key),
    ...(code === undefined ? {} : { code: redactKey(code, key) }),
    ...(type === undefined ? {} : { type: redactKey(type, key) }),
    ...(param === undefined ? {} : { param: redactKey(param, key) }),
    ...(body === undefined ? {} : { body: redactKeyIn(body, key) }),
  }
}

/** A vendor's words as customers read them; administrators see them whole. Whose fault it is follows from the whole ones. */
export function forCustomers(failure: UpstreamFailure): UpstreamFailure {
  const { message, body } = failure
  return { ...failure, message: redactAccount(message), ...(body === undefined ? {} : { body: redactAccountIn(body) }) }
}

/** Maps a connection failure. The message may contain addresses: show it to administrators only. */
export function toUpstreamFailure(error: OutboundError): UpstreamFailure {
  return { kind: KINDS[error.failure], code: error.failure, message: error.message }
}
