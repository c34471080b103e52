import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import type { RenderedError } from '../../codec.ts'
import { isObject, objectAt, textAt, type JsonObject } from '../../../json.ts'
import { encodeSse } from '../../../sse/encoder.ts'
import { decodeUpstreamError, toOpenAiError } from '../openai-chat/errors.ts'

/** Decodes a failure from an event `error`, the object of a `response.failed`, or a body in a 200. */
export function decodeFailure(object: JsonObject): UpstreamFailure {
  const stated = isObject(object['error']) ? object['error'] : object
  const { code = null, param = null, type } = stated
  const message = textAt(stated, 'message') ?? textAt(object, 'error') ?? 'the response failed'
  return decodeUpstreamError(200, { error: { message, code, param, ...(type === 'error' || type === undefined ? {} : { type }) } })
}

/** True for a body or event that reports a failure. */
export function isFailed(object: JsonObject): boolean {
  const { error, status, type } = object
  return status === 'failed' || status === 'cancelled' || type === 'error' || isObject(error) || textAt(object, 'error') !== undefined
}

/** An error for a stream: the event `error`, and the error of the response that has failed. */
export function toStreamError(rendered: RenderedError): {
  readonly event: JsonObject & { readonly type: 'error' }
  readonly error: JsonObject
} {
  const { message, code, param, type } = toOpenAiError(rendered)
  const own = { code: code ?? null, message, param: param === '' ? null : (param ?? null) }
  // OpenAI's client for Python raises only what is under `error`.
  return { event: { type: 'error', ...own, error: { type, ...own } }, error: { code: code ?? type, message } }
}

/** The position of an error in a stream. */
export type ErrorPlace = { readonly id: string; readonly sequence_number: number; readonly output: readonly unknown[] }

/** Place of an error in a stream in which no response was sent. */
const NO_RESPONSE: ErrorPlace = { id: 'resp_failed', sequence_number: 0, output: [] }

/**
 * An error inside a stream that has started: the event that SDKs raise, and the failed response that agents wait for.
 * https://developers.openai.com/api/reference/resources/responses/streaming-events
 */
export function renderResponsesStreamError(rendered: RenderedError, { id, sequence_number, output } = NO_RESPONSE): string {
  const { event, error } = toStreamError(rendered)
  const { type, ...told } = event
  const response = { id, object: 'response', status: 'failed', error, incomplete_details: null, output }
  return [
    { type, sequence_number, ...told },
    { type: 'response.failed', sequence_number: sequence_number + 1, response },
  ]
    .map((one) => encodeSse({ event: one.type, data: JSON.stringify(one) }))
    .join('')
}

/** The failure in the object under a key, for events that contain the whole response. */
export function failureAt(event: JsonObject, key: string): UpstreamFailure {
  return decodeFailure(objectAt(event, key))
}
