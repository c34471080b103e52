import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import { isObject, parseJson, textAt, type JsonObject } from '../../json.ts'
import { decodeFlatError } from '../text-only.ts'

/** The prediction object that Replicate answers with: https://replicate.com/docs/reference/http#predictions.create */

export type Prediction =
  | { readonly kind: 'done'; readonly output: readonly string[]; readonly metrics: JsonObject; readonly id: string | undefined }
  | { readonly kind: 'failed'; readonly failure: UpstreamFailure }

/** Reads a prediction. One that is still running after the time that Replicate waits has failed for a caller who needs the answer now. */
export function readPrediction(body: unknown): Prediction {
  if (!isObject(body)) return malformed('the answer is not a prediction')
  const { status, output } = body
  if (typeof status === 'number') return { kind: 'failed', failure: decodeReplicateError(status, body) }
  if (status === 'failed' || status === 'canceled' || status === 'aborted') return { kind: 'failed', failure: failedPrediction(body) }
  const texts = outputsOf(output)
  // Files are answered as soon as they exist, which may be before the status says so.
  if (texts.length > 0) return { kind: 'done', output: texts, metrics: metricsOf(body), id: textAt(body, 'id') }
  if (isRunning(body)) return { kind: 'failed', failure: { kind: 'timeout', status: 504, message: 'the prediction is still running' } }
  return status === 'succeeded' ? malformed('the prediction has no text and no file') : malformed('the answer is not a prediction')
}

/** Where the text of a prediction that is still running can be read. */
export function streamOf(body: unknown): string | undefined {
  return isObject(body) && isRunning(body) ? textAt(body['urls'], 'stream') : undefined
}

const isRunning = ({ status }: JsonObject) => status === 'starting' || status === 'processing'

/** The failure that the model or its container stated. */
export function failedPrediction(body: JsonObject): UpstreamFailure {
  const message = textAt(body, 'error') ?? textAt(body, 'detail') ?? 'the prediction failed'
  return { kind: 'refused', status: 502, type: 'upstream_error', message }
}

/** Errors are problem documents; `title` is absent from some. https://replicate.com/docs/reference/http#errors */
export function decodeReplicateError(status: number, body: unknown): UpstreamFailure {
  const parsed = typeof body === 'string' ? parseJson(body) : body
  const code = textAt(parsed, 'title') === undefined ? 'status' : 'title'
  return decodeFlatError(status, body, { code, message: 'detail', statuses: {} })
}

/** One output or a list of them; others, such as objects, are not texts. */
function outputsOf(output: unknown): string[] {
  const list: readonly unknown[] = Array.isArray(output) ? output : [output]
  return list.filter((item) => typeof item === 'string')
}

const metricsOf = ({ metrics }: JsonObject): JsonObject => (isObject(metrics) ? metrics : {})

const malformed = (message: string): Prediction => ({ kind: 'failed', failure: { kind: 'malformed', message } })
