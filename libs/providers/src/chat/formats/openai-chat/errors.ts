import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import type { RenderedError } from '../../codec.ts'
import { failureWithoutObject } from '../error-summary.ts'
import { markOverflow, OVERFLOW_CODE } from '../overflow.ts'
import { isObject, parseJson, pick, textAt, type JsonObject } from '../../../json.ts'

/** The error object of the OpenAI formats. */
export type OpenAiError = {
  readonly message: string
  readonly type: string
  readonly param?: string | null
  readonly code?: string | number | null
}

/** The body of an error answer. */
export function renderOpenAiError(error: OpenAiError): { error: JsonObject } {
  const { param, code } = error
  // OpenAI's own errors have null where there is nothing to say; its schema allows no empty text.
  return { error: { ...error, param: param === '' ? null : (param ?? null), code: code === '' ? null : (code ?? null) } }
}

/** The same inside a running stream; SDKs raise it as an API error. */
export function renderOpenAiStreamError(error: OpenAiError): string {
  return `data: ${JSON.stringify(renderOpenAiError(error))}\n\n`
}

/** The error object for a client: the vendor's own object if it uses this format, with our text and code. */
export function toOpenAiError({ message, type, param, code, upstream_body }: RenderedError): OpenAiError {
  const own = { message, type, param, code }
  return isObject(upstream_body) ? { ...upstream_body, ...own, code: codeOf(upstream_body) ?? code } : own
}

/** The error object for a failed call: upstream's own if there is one. */
export function openAiErrorOf(failure: UpstreamFailure): OpenAiError {
  const own = { message: failure.message, type: failure.type ?? 'upstream_error', param: failure.param ?? '', code: failure.code ?? null }
  return isObject(failure.body) ? { ...failure.body, ...own, code: codeOf(failure.body) ?? own.code } : own
}

/**
 * Decodes an error answer of any shape; a body that is not JSON is summarised in one line. A status of 200 is replaced by the status of
 * the error object.
 */
export function decodeUpstreamError(status: number, body: unknown): UpstreamFailure {
  const parsed = typeof body === 'string' ? parseJson(body) : body
  const object = errorIn(parsed)
  const message = object === undefined ? undefined : textAt(object, 'message')
  if (object === undefined || message === undefined) {
    return markOverflow(failureWithoutObject({ status, parsed, text: typeof body === 'string' ? body : '', mask: maskKeys }))
  }
  const type = textAt(object, 'type')
  const code = codeOf(object)
  const param = textAt(object, 'param')
  const real = status >= 200 && status < 300 ? statusOf(type, code) : status
  const own = pick(object, KNOWN_FIELDS)
  const failure = markOverflow({
    kind: real === 429 ? 'limited' : 'refused',
    status: real,
    message: maskKeys(message),
    ...(type === undefined ? {} : { type }),
    ...(code === undefined ? {} : { code: String(code) }),
    ...(param === undefined ? {} : { param }),
  })
  const marks = failure.code === OVERFLOW_CODE ? pick({ ...failure }, ['code', 'type']) : {}
  return { ...failure, body: { ...own, message: failure.message, ...marks, ...knownMetadata(object) } }
}

/**
 * The failure that a chunk or a whole answer reports in a 200; `isErrorEvent`: it came under that name, with or without an envelope. An
 * error can be plain text; null means none. Gateways also send the error object alone.
 */
export function decodeChunkError(chunk: JsonObject, isErrorEvent = false): UpstreamFailure | undefined {
  const isBare = isErrorEvent || (chunk['choices'] === undefined && isBareError(chunk))
  if (isBare && chunk['error'] === undefined) return decodeUpstreamError(200, { error: chunk })
  const isError = isErrorEvent || errorIn(chunk) !== undefined || textAt(chunk, 'error') !== undefined
  return isError ? decodeUpstreamError(200, chunk) : undefined
}

function isBareError(chunk: JsonObject): boolean {
  return textAt(chunk, 'message') !== undefined && (chunk['type'] === 'error' || codeOf(chunk) !== undefined)
}

/**
 * The error object of an answer or a chunk; absent if there is none. vLLM sends it without an envelope:
 * https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html
 */
export function errorIn(parsed: unknown): JsonObject | undefined {
  if (!isObject(parsed)) return undefined
  if (isObject(parsed['error'])) return parsed['error']
  return parsed['object'] === 'error' ? parsed : undefined
}

/** Fields of OpenAI's error object, vLLM's `object`, and Azure's report of its content filter. Others may hold anything, such as headers. */
const KNOWN_FIELDS = ['object', 'message', 'type', 'param', 'code', 'innererror']

/** OpenRouter's, without the raw answer of its own vendor: https://openrouter.ai/docs/api-reference/errors */
function knownMetadata({ metadata }: JsonObject): JsonObject {
  const known = isObject(metadata) ? pick(metadata, ['reasons', 'flagged_input', 'provider_name', 'model_slug']) : {}
  return Object.keys(known).length === 0 ? {} : { metadata: known }
}

/** Vendors quote the key they refuse: clients must not see any part of it. */
export function maskKeys(text: string): string {
  return text.replaceAll(/\b(sk|xai|gsk)-[\w*.-]{6,}/g, '$1-***')
}

const STATUS_OF_TYPE: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  invalid_prompt: 400,
  context_length_exceeded: 400,
  authentication_error: 401,
  invalid_api_key: 401,
  permission_error: 403,
  not_found_error: 404,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  insufficient_quota: 429,
}

function statusOf(type: string | undefined, code: string | number | undefined): number {
  const stated = Number(code)
  if (Number.isInteger(stated) && stated >= 400 && stated <= 599) return stated
  return STATUS_OF_TYPE[type ?? ''] ?? STATUS_OF_TYPE[String(code)] ?? 502
}

function codeOf(object: unknown): string | number | undefined {
  const code = isObject(object) ? object['code'] : undefined
  return typeof code === 'number' || (typeof code === 'string' && code !== '') ? code : undefined
}
