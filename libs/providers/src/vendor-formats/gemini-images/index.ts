import { ZERO_USAGE } from '@tollgate/contracts/pricing/quote'
import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import { toRawUsage } from '../../chat/answer-facts.ts'
import { decodeGeminiError } from '../../chat/formats/gemini/errors.ts'
import { blockReasonIn, candidatesIn, endOf, partsOf } from '../../chat/formats/gemini/response.ts'
import { usageFromGemini } from '../../chat/formats/gemini/usage.ts'
import type { ModelRequest } from '../../chat/model-request.ts'
import type { FormAnswer, VendorForm } from '../../calls/vendor-form.ts'
import { objectAt, textAt, type JsonObject } from '../../json.ts'
import { aspectRatioOf, shortSideOf } from '../../tasks/video/video-request.ts'
import { Warnings } from '../../warnings.ts'
import { inlineImagesObstacle } from '../inline-images.ts'

/**
 * Image models of Google, which answer `generateContent`; one image per call, inline.
 * https://ai.google.dev/gemini-api/docs/image-generation, compared with @google/genai 3.3.0 (2026-11-28)
 */
export const geminiImages: VendorForm = {
  format: 'gemini',
  obstacle: inlineImagesObstacle(1),
  encode: ({ request }) => encodeImage(request),
  readAnswer: (answer, { created }) => readImage(answer, created),
  decodeError: decodeGeminiError,
}

const KNOWN = new Set(['model', 'prompt', 'n', 'size', 'response_format', 'stream', 'user'])

const RATIOS = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9']
/** The least short side of each size that is not the default. */
const SIZES = [
  [2800, '4K'],
  [1500, '2K'],
] as const

function encodeImage({ body }: ModelRequest): { body: JsonObject; warnings: readonly string[] } {
  const warnings = new Warnings()
  warnings.addOthers(body, KNOWN)
  const size = { size: textAt(body, 'size') ?? '' }
  const aspectRatio = aspectRatioOf(size, RATIOS)
  const side = shortSideOf(size) ?? 0
  const imageSize = SIZES.find(([least]) => side >= least)?.[1]
  const imageConfig = { ...(aspectRatio === undefined ? {} : { aspectRatio }), ...(imageSize === undefined ? {} : { imageSize }) }
  return {
    body: {
      contents: [{ role: 'user', parts: [{ text: body['prompt'] }] }],
      generationConfig: { responseModalities: ['IMAGE'], ...(Object.keys(imageConfig).length === 0 ? {} : { imageConfig }) },
    },
    warnings: warnings.entries,
  }
}

function readImage(answer: unknown, created: number): FormAnswer {
  const [candidate = {}] = candidatesIn(answer)
  const parts = partsOf(candidate)
  // A thought may be a sketch.
  const drawn = parts.filter((part) => part['thought'] !== true).map((part) => objectAt(part, 'inlineData'))
  const images = drawn.flatMap(({ data, mimeType }) => (typeof data === 'string' && data !== '' ? [{ data, mimeType }] : []))
  const [first] = images
  if (first === undefined) return { kind: 'failed', failure: whyNone(answer, candidate) }
  const raw = objectAt(answer, 'usageMetadata')
  const usage = { ...(usageFromGemini(raw) ?? { ...ZERO_USAGE, source: 'upstream' as const }), images: images.length }
  const { prompt_tokens, completion_tokens } = usage
  return {
    kind: 'answer',
    body: {
      created,
      data: images.map(({ data }) => ({ b64_json: data })),
      output_format: (textAt(first, 'mimeType') ?? 'image/png').replace(/^image\//, ''),
      usage: {
        input_tokens: prompt_tokens,
        output_tokens: completion_tokens,
        total_tokens: prompt_tokens + completion_tokens,
        input_tokens_details: { text_tokens: prompt_tokens - usage.image_in, image_tokens: usage.image_in },
      },
    },
    usage,
    raw_usage: toRawUsage(raw),
  }
}

/** Why there is no image: the vendor's own word, under the code by which OpenAI's clients know a refused picture. */
function whyNone(answer: unknown, candidate: JsonObject): UpstreamFailure {
  const word = blockReasonIn(answer) ?? textAt(candidate, 'finishReason')
  const isBlocked = blockReasonIn(answer) !== undefined || endOf(candidate)?.finish === 'filter'
  if (word === undefined || !isBlocked)
    return { kind: 'malformed', message: `the answer has no image${word === undefined ? '' : `: ${word}`}` }
  const message = `The vendor made no image: ${word}`
  return { kind: 'refused', status: 400, code: 'moderation_blocked', type: 'image_generation_user_error', message }
}
