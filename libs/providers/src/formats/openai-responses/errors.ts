import type { UpstreamFailure } from '@tollgate/contracts/upstream-failure'
import type { RenderedError } from '../../chat/codec.ts'
import { isObject, objectAt, textAt, type JsonObject } from '../../json.ts'
import { encodeSse } from '../../sse/encoder.ts'
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

/**
 * An error inside a stream that has started: the event that SDKs raise, and the failed response that agents wait for.
 * https://developers.openai.com/api/reference/resources/responses/streaming-events
 */
export function renderResponsesStreamError(error: RenderedError): string {
  const { message, code, param, type } = toOpenAiError(error)
  const own = { code: code ?? null, message, param: param === '' ? null : (param ?? null) }
  const failed = { object: 'response', status: 'failed', error: { code: code ?? type, message }, incomplete_details: null, output: [] }
  return [
    // OpenAI's client for Python raises only what is under `error`.
    { type: 'error', sequence_number: 0, ...own, error: { type, ...own } },
    { type: 'response.failed', sequence_number: 1, response: { id: 'resp_failed', ...failed } },
  ]
    .map((event) => encodeSse({ event: event.type, data: JSON.stringify(event) }))
    .join('')
}

/** The failure in the object under a key, for events that contain the whole response. */
export function failureAt(event: JsonObject, key: string): UpstreamFailure {
  return decodeFailure(objectAt(event, key))
}
