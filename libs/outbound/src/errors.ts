export type OutboundFailure = 'blocked' | 'dns' | 'connect' | 'timeout' | 'reset' | 'aborted' | 'too-large' | 'malformed' | 'invalid'

/** A failure below HTTP. `message` may contain addresses: log it, never return it to a client. */
export class OutboundError extends Error {
  readonly failure: OutboundFailure
  /** The connection had served an earlier request, so a retry on a fresh one is safe before the first response byte. */
  readonly isReusedSocket: boolean

  constructor(failure: OutboundFailure, message: string, options: { cause?: unknown; isReusedSocket?: boolean } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.name = 'OutboundError'
    this.failure = failure
    this.isReusedSocket = options.isReusedSocket ?? false
  }
}

const FAILURES: Readonly<Record<string, OutboundFailure>> = {
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  ECONNREFUSED: 'connect',
  EHOSTUNREACH: 'connect',
  ENETUNREACH: 'connect',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  UND_ERR_ABORTED: 'aborted',
  UND_ERR_INVALID_ARG: 'invalid',
  UND_ERR_HEADERS_OVERFLOW: 'malformed',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'malformed',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'too-large',
}

/** Classifies a socket, TLS or parser error; unknown errors count as 'reset'. */
export function toOutboundError(error: unknown, isReusedSocket = false): OutboundError {
  if (error instanceof OutboundError) return error
  const inner = error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error
  if (inner instanceof OutboundError) return inner
  const code = codeOf(inner)
  const message = error instanceof Error && error.message !== '' ? error.message : code
  return new OutboundError(failureOf(code), message, { cause: error, isReusedSocket })
}

function failureOf(code: string): OutboundFailure {
  if (code.startsWith('HPE_')) return 'malformed'
  if (code.startsWith('ERR_TLS') || code.startsWith('CERT_') || code.endsWith('_CERT') || code.startsWith('UNABLE_TO_')) return 'connect'
  return FAILURES[code] ?? 'reset'
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return 'unknown'
  return String(error.code)
}
