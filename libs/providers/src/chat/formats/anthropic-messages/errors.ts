import { ownValue } from '@tollgate/contracts/values/own-value'
import type { RenderedError } from '../../codec.ts'
import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import { isObject, objectAt, parseJson, textAt, type JsonObject } from '../../../json.ts'
import { markOverflow } from '../overflow.ts'
import { decodeUpstreamError, maskKeys } from '../openai-chat/errors.ts'

/** https://platform.claude.com/docs/en/api/errors */
const STATUS_OF_TYPE: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  conflict_error: 409,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
}

const TYPE_OF_STATUS: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

/** The body of an error answer. Upstream's own error object is kept if it is of this format; our code goes into `details`. */
export function renderError(error: RenderedError): string {
  return JSON.stringify(envelope(error))
}

/**
 * The same inside a stream that has started; SDKs raise it as an API error:
 * https://platform.claude.com/docs/en/build-with-claude/streaming#error-events
 */
export function renderStreamError(error: RenderedError): string {
  return `event: error\ndata: ${JSON.stringify(envelope(error))}\n\n`
}

/** Decodes an error answer or an `error` event of any shape. A `status` of 200 is replaced by the status of the error type. */
export function decodeError(status: number, body: unknown): UpstreamFailure {
  const parsed = typeof body === 'string' ? parseJson(body) : body
  const object = objectAt(parsed, 'error')
  const type = textAt(object, 'type')
  const message = textAt(object, 'message')
  if (message === undefined || type === undefined || ownValue(STATUS_OF_TYPE, type) === undefined)
    return markTemporary(decodeUpstreamError(status, parsed ?? body))
  const { unsupported } = objectAt(object, 'details')
  const code = textAt(objectAt(object, 'details'), 'error_code')
  const details = { error_code: code, ...(Array.isArray(unsupported) ? { unsupported } : {}) }
  const failure: UpstreamFailure = {
    kind: 'refused',
    status: status >= 200 && status < 300 ? (ownValue(STATUS_OF_TYPE, type) ?? 502) : status,
    message: maskKeys(message),
    type,
    ...(code === undefined ? {} : { code }),
    body: { type, message: maskKeys(message), ...(code === undefined ? {} : { details }) },
  }
  return markTemporary(markOverflow(failure))
}

/** Rate limits (429) and overload (529) are temporary. */
function markTemporary(failure: UpstreamFailure): UpstreamFailure {
  return failure.status === 429 || failure.status === 529 ? { ...failure, kind: 'limited' } : failure
}

function envelope({ status, message, code, upstream_body }: RenderedError): JsonObject {
  const own = ownError(upstream_body)
  const type = textAt(own, 'type') ?? TYPE_OF_STATUS[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')
  const details = own === undefined && code !== '' ? { details: { error_code: code } } : {}
  return { type: 'error', error: { ...details, ...own, type, message } }
}

/** The error object of an upstream that uses this format, with or without its envelope. */
function ownError(body: unknown): JsonObject | undefined {
  const inner = isObject(body) && body['type'] === 'error' ? body['error'] : body
  const type = textAt(inner, 'type')
  return isObject(inner) && type !== undefined && ownValue(STATUS_OF_TYPE, type) !== undefined ? inner : undefined
}
