import type { RenderedError } from '../../codec.ts'
import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import { failureWithoutObject } from '../error-summary.ts'
import { markOverflow } from '../overflow.ts'
import { isObject, listAt, parseJson, pick, textAt, type JsonObject } from '../../../json.ts'

/** Google's names of the HTTP statuses: https://cloud.google.com/apis/design/errors#handling_errors */
const NAMES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  402: 'FAILED_PRECONDITION',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  408: 'DEADLINE_EXCEEDED',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  500: 'INTERNAL',
  501: 'UNIMPLEMENTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

const STATUS_OF_NAME: Readonly<Record<string, number>> = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  OUT_OF_RANGE: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  ABORTED: 409,
  ALREADY_EXISTS: 409,
  RESOURCE_EXHAUSTED: 429,
  CANCELLED: 499,
  INTERNAL: 500,
  UNKNOWN: 500,
  DATA_LOSS: 500,
  UNIMPLEMENTED: 501,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
}

const ERROR_INFO = 'type.googleapis.com/google.rpc.ErrorInfo'
const RETRY_INFO = 'type.googleapis.com/google.rpc.RetryInfo'
const BAD_REQUEST = 'type.googleapis.com/google.rpc.BadRequest'

/** The status name for an HTTP status. */
export function statusNameOf(status: number): string {
  return NAMES[status] ?? (status >= 400 && status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL')
}

/**
 * The body of an error answer: Google's own error if the vendor uses this format, else ours in its shape, with the code as the reason of
 * an `ErrorInfo` and the field as that of a `BadRequest`.
 */
export function renderGeminiError(error: RenderedError): { readonly error: JsonObject } {
  const { status, message, upstream_body } = error
  if (isObject(upstream_body)) {
    const name = textAt(upstream_body, 'status') ?? statusNameOf(status)
    const details = withRetryInfo(upstream_body['details'], error)
    return { error: { ...upstream_body, code: status, message, status: name, ...(details.length === 0 ? {} : { details }) } }
  }
  const details = withRetryInfo(detailsOf(error), error)
  return { error: { code: status, message, status: statusNameOf(status), ...(details.length === 0 ? {} : { details }) } }
}

/** The details with the wait: Google's clients read it here and no `Retry-After` (Gemini CLI 0.61, @google/genai 3.3). */
function withRetryInfo(details: unknown, { retry_after_s }: RenderedError): unknown[] {
  const given: readonly unknown[] = Array.isArray(details) ? details : []
  if (retry_after_s === undefined) return [...given]
  return [...given.filter((detail) => textAt(detail, '@type') !== RETRY_INFO), { '@type': RETRY_INFO, retryDelay: `${retry_after_s}s` }]
}

function detailsOf({ code, type, param, message }: RenderedError): JsonObject[] {
  const reason = code.replaceAll(/[^A-Za-z0-9]+/g, '_').toUpperCase()
  return [
    ...(reason === '' ? [] : [{ '@type': ERROR_INFO, reason, domain: type }]),
    ...(param === '' ? [] : [{ '@type': BAD_REQUEST, fieldViolations: [{ field: param, description: message }] }]),
  ]
}

/**
 * Decodes an error answer of any shape; a stream requested as an array wraps its error in one. `type` is Google's status name, `code` the
 * reason of its `ErrorInfo` (`API_KEY_INVALID`) if there is one. A status of 200 is replaced by the status of the error.
 * https://ai.google.dev/gemini-api/docs/troubleshooting
 */
export function decodeGeminiError(status: number, body: unknown): UpstreamFailure {
  const parsed = typeof body === 'string' ? parseJson(body) : body
  const object = errorIn(parsed)
  const message = object === undefined ? undefined : textAt(object, 'message')
  if (object === undefined || message === undefined) {
    return markOverflow(failureWithoutObject({ status, parsed, text: typeof body === 'string' ? body : '', mask: maskGoogleKeys }))
  }
  const name = textAt(object, 'status')
  const real = isSuccess(status) ? statusIn(object, name) : status
  const text = maskGoogleKeys(message)
  const retry_after_ms = retryDelayIn(object)
  return markOverflow({
    kind: real === 429 ? 'limited' : 'refused',
    status: real,
    ...(name === undefined ? {} : { type: name }),
    code: textInDetails(object, 'reason') ?? name ?? String(real),
    ...(retry_after_ms === undefined ? {} : { retry_after_ms }),
    message: text,
    body: { ...pick(object, ['code', 'message', 'status']), message: text, ...knownDetails(object) },
  })
}

/** The error object of an answer or a chunk; absent if there is none. */
export function errorIn(parsed: unknown): JsonObject | undefined {
  const outer: unknown = Array.isArray(parsed) ? parsed[0] : parsed
  const inner = isObject(outer) ? outer['error'] : undefined
  return isObject(inner) ? inner : undefined
}

/** Google quotes the key or consumer that it refuses. */
export function maskGoogleKeys(text: string): string {
  return text.replaceAll(/\bAIza[\w-]{6,}/g, 'AIza***').replaceAll(/\b(sk|AQ)([-.])[\w*.-]{6,}/g, '$1$2***')
}

const DETAIL = 'type.googleapis.com/google.rpc.'
/** Fields of the details that Google documents: https://cloud.google.com/apis/design/errors#error_details */
const DETAIL_FIELDS: Readonly<Record<string, readonly string[]>> = {
  [ERROR_INFO]: ['reason', 'domain'],
  [BAD_REQUEST]: ['fieldViolations'],
  [RETRY_INFO]: ['retryDelay'],
  [`${DETAIL}QuotaFailure`]: ['violations'],
  [`${DETAIL}Help`]: ['links'],
  [`${DETAIL}LocalizedMessage`]: ['locale', 'message'],
}

function knownDetails({ details }: JsonObject): JsonObject {
  const known = (Array.isArray(details) ? details : []).flatMap((detail: unknown) => {
    const fields = DETAIL_FIELDS[textAt(detail, '@type') ?? '']
    if (!isObject(detail) || fields === undefined) return []
    const service = textAt(detail['metadata'], 'service')
    return [{ ...pick(detail, ['@type', ...fields]), ...(service === undefined ? {} : { metadata: { service } }) }]
  })
  return known.length === 0 ? {} : { details: known }
}

const isSuccess = (status: number) => status >= 200 && status < 300

function statusIn(object: JsonObject, name: string | undefined): number {
  const stated = Number(object['code'])
  if (Number.isInteger(stated) && stated >= 400 && stated <= 599) return stated
  return STATUS_OF_NAME[name ?? ''] ?? 502
}

/** The first text under a key of the error's details. */
function textInDetails(object: JsonObject, key: string): string | undefined {
  return listAt(object, 'details')
    .map((detail) => textAt(detail, key))
    .find((text) => text !== undefined)
}

/** A duration as text in seconds, such as `37s` or `0.5s`: https://protobuf.dev/reference/protobuf/google.protobuf/#duration */
function retryDelayIn(object: JsonObject): number | undefined {
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(textInDetails(object, 'retryDelay') ?? '')?.[1]
  return seconds === undefined ? undefined : Math.min(Math.ceil(Number(seconds) * 1000), MAX_DELAY_MS)
}

const MAX_DELAY_MS = 3_600_000
