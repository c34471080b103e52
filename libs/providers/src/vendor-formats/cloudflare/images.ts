import { ZERO_USAGE } from '@tollgate/contracts/pricing/quote'
import type { ModelRequest } from '../../chat/model-request.ts'
import { isObject, objectAt, textAt, type JsonObject } from '../../json.ts'
import type { FormAnswer, VendorForm } from '../../calls/vendor-form.ts'
import { Warnings } from '../../warnings.ts'
import { inlineImagesObstacle } from '../inline-images.ts'
import { decodeCloudflareError } from './errors.ts'

/**
 * Image models of Workers AI that answer with JSON, such as Flux; one image per call, inline.
 * https://developers.cloudflare.com/workers-ai/models/flux-1-schnell/ (2026-11-23)
 */
export const cloudflareImages: VendorForm = {
  format: 'cloudflare-images',
  obstacle: inlineImagesObstacle(1),
  encode: ({ request }) => encodeImage(request),
  readAnswer: (answer, { created }) => readImage(answer, created),
  decodeError: decodeCloudflareError,
}

const KNOWN = new Set(['model', 'prompt', 'n', 'response_format', 'stream', 'steps', 'seed'])
/** Workers AI's own names, passed on. */
const OWN = ['steps', 'seed']

function encodeImage({ body }: ModelRequest): { body: JsonObject; warnings: readonly string[] } {
  const warnings = new Warnings()
  warnings.addOthers(body, KNOWN)
  const own = Object.fromEntries(OWN.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]))
  return { body: { prompt: body['prompt'], ...own }, warnings: warnings.entries }
}

function readImage(answer: unknown, created: number): FormAnswer {
  if (isObject(answer) && answer['success'] === false) return { kind: 'failed', failure: decodeCloudflareError(200, answer) }
  const b64_json = textAt(objectAt(answer, 'result'), 'image')
  if (b64_json === undefined) return { kind: 'failed', failure: { kind: 'malformed', message: 'the answer has no image' } }
  return {
    kind: 'answer',
    body: { created, data: [{ b64_json }] },
    usage: { ...ZERO_USAGE, images: 1, source: 'upstream' },
    raw_usage: undefined,
  }
}
