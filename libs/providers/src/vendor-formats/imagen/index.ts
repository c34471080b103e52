import { ZERO_USAGE } from '@tollgate/contracts/pricing/quote'
import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import type { FormAnswer, VendorForm } from '../../calls/vendor-form.ts'
import { decodeGeminiError } from '../../chat/formats/gemini/errors.ts'
import type { ModelRequest } from '../../chat/model-request.ts'
import { isObject, objectsAt, textAt, type JsonObject } from '../../json.ts'
import { aspectRatioOf } from '../../tasks/video/video-request.ts'
import { Warnings } from '../../warnings.ts'
import { inlineImagesObstacle } from '../inline-images.ts'

const MAX_SAMPLES = 4

/** Imagen, which answers `predict`: https://ai.google.dev/gemini-api/docs/imagen, compared with @google/genai 3.3.0 (2026-11-28) */
export const imagen: VendorForm = {
  format: 'gemini-predict',
  obstacle: inlineImagesObstacle(MAX_SAMPLES),
  encode: ({ request }) => encodeImage(request),
  readAnswer: (answer, { created }) => readImages(answer, created),
  decodeError: decodeGeminiError,
}

const KNOWN = new Set(['model', 'prompt', 'n', 'size', 'response_format', 'stream', 'user'])
const RATIOS = ['1:1', '3:4', '4:3', '9:16', '16:9']

function encodeImage({ body }: ModelRequest): { body: JsonObject; warnings: readonly string[] } {
  const warnings = new Warnings()
  warnings.addOthers(body, KNOWN)
  const aspectRatio = aspectRatioOf({ size: textAt(body, 'size') ?? '' }, RATIOS)
  const { n } = body
  const parameters = { sampleCount: typeof n === 'number' ? n : 1, ...(aspectRatio === undefined ? {} : { aspectRatio }) }
  return { body: { instances: [{ prompt: body['prompt'] }], parameters }, warnings: warnings.entries }
}

function readImages(answer: unknown, created: number): FormAnswer {
  const images = imagesIn(answer)
  if (images.kind === 'failed') return images
  const data = images.list.map((one) => ({ b64_json: one.data }))
  return {
    kind: 'answer',
    body: { created, data },
    usage: { ...ZERO_USAGE, images: data.length, source: 'upstream' },
    raw_usage: undefined,
  }
}

type Images =
  | { readonly kind: 'images'; readonly list: readonly { readonly data: string }[] }
  | { readonly kind: 'failed'; readonly failure: UpstreamFailure }

/** The pictures of an answer. Those that the vendor filtered have a reason in their place and are free. */
export function imagesIn(answer: unknown): Images {
  if (!isObject(answer)) return { kind: 'failed', failure: { kind: 'malformed', message: 'the answer is no object' } }
  if (answer['error'] !== undefined) return { kind: 'failed', failure: decodeGeminiError(200, answer) }
  const predictions = objectsAt(answer, 'predictions')
  const list = predictions.flatMap((one) => {
    const data = textAt(one, 'bytesBase64Encoded')
    return data === undefined ? [] : [{ data }]
  })
  if (list.length > 0) return { kind: 'images', list }
  const reason = predictions.map((one) => textAt(one, 'raiFilteredReason')).find((text) => text !== undefined)
  const message = reason ?? 'the vendor filtered every picture'
  return { kind: 'failed', failure: { kind: 'refused', status: 400, type: 'invalid_request_error', code: 'content_filter', message } }
}
