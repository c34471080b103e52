import type { ModelRequest } from '../../chat/model-request.ts'
import { objectAt, objectsAt, textAt, type JsonObject } from '../../json.ts'
import { imageObstacle, imagesAnswer } from '../../calls/image-files.ts'
import type { FormAnswer, VendorForm } from '../../calls/vendor-form.ts'
import { decodeAliError, readParameters } from './parameters.ts'

/**
 * Images of DashScope in one call, which Qwen-Image and Wan 2.6 have.
 * https://www.alibabacloud.com/help/en/model-studio/text-to-image-v2-api-reference (2026-11-23)
 */
export const aliImages: VendorForm = {
  format: 'ali-images',
  obstacle: imageObstacle,
  encode: ({ request }, model) => encodeImages(request, model),
  readAnswer: (answer, { created }) => readImages(answer, created),
  decodeError: decodeAliError,
}

function encodeImages(request: ModelRequest, model: string): { body: JsonObject; warnings: readonly string[] } {
  const { parameters, warnings } = readParameters(request)
  const input = { messages: [{ role: 'user', content: [{ text: request.body['prompt'] }] }] }
  return { body: { model, input, parameters }, warnings }
}

function readImages(answer: unknown, created: number): FormAnswer {
  if (textAt(answer, 'code') !== undefined) return { kind: 'failed', failure: decodeAliError(200, answer) }
  const choices = objectsAt(objectAt(answer, 'output'), 'choices')
  const urls = choices.flatMap((choice) => objectsAt(objectAt(choice, 'message'), 'content').flatMap((part) => textAt(part, 'image') ?? []))
  if (urls.length === 0) return { kind: 'failed', failure: { kind: 'malformed', message: 'the answer has no image' } }
  return imagesAnswer(urls, created)
}
