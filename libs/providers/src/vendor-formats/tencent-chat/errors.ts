import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import { isObject, objectAt, parseJson, textAt, type JsonObject } from '../../json.ts'
import { decodeUpstreamError } from '../../chat/formats/openai-chat/errors.ts'

/**
 * Statuses of Tencent's error codes, which come with status 200; the longest prefix counts.
 * https://cloud.tencent.com/document/product/1729/101842 and the list in
 * https://github.com/TencentCloud/tencentcloud-sdk-go/blob/master/tencentcloud/hunyuan/v20230901/errors.go (2026-11-24)
 */
const STATUSES: readonly (readonly [code: string, status: number])[] = [
  ['AuthFailure', 401],
  ['UnauthorizedOperation', 403],
  ['RequestLimitExceeded', 429],
  ['LimitExceeded', 429],
  ['FailedOperation.EngineServerLimitExceeded', 429],
  ['FailedOperation.FreeResourcePackExhausted', 402],
  ['FailedOperation.ResourcePackExhausted', 402],
  ['FailedOperation.ServiceStopArrears', 402],
  ['FailedOperation.ServiceNotActivated', 403],
  ['FailedOperation.ServiceStop', 403],
  ['FailedOperation.EngineRequestTimeout', 504],
  ['InvalidParameterValue.Model', 404],
  ['InvalidParameter', 400],
  ['MissingParameter', 400],
  ['UnknownParameter', 400],
  ['UnsupportedOperation', 400],
]

const longest = STATUSES.toSorted(([one], [other]) => other.length - one.length)

export function decodeTencentError(status: number, body: unknown): UpstreamFailure {
  const parsed = typeof body === 'string' ? parseJson(body) : body
  return streamError(objectAt(parsed, 'Response')) ?? decodeUpstreamError(status, body)
}

/** An error in the envelope (`Error`), or of a stream that has begun (`ErrorMsg`); undefined if there is none. */
export function streamError(data: JsonObject): UpstreamFailure | undefined {
  const error = objectAt(data, 'Error')
  const code = textAt(error, 'Code')
  if (code !== undefined) return failureOf(longest.find(([known]) => code.startsWith(known))?.[1] ?? 502, code, textAt(error, 'Message'))
  const late = data['ErrorMsg']
  const number = isObject(late) ? late['Code'] : undefined
  return typeof number !== 'number' || number === 0 ? undefined : failureOf(502, String(number), textAt(late, 'Msg'))
}

function failureOf(status: number, code: string, message = 'the upstream refused the call'): UpstreamFailure {
  const type = status === 402 ? 'insufficient_quota' : 'upstream_error'
  return { kind: status === 429 ? 'limited' : 'refused', status, type, code, message }
}
