import type { ModelRequest } from '../../chat/model-request.ts'
import { objectAt, objectsAt, textAt, type JsonObject } from '../../json.ts'
import { imageObstacle, imagesAnswer } from '../../operations/image-files.ts'
import type { FormAnswer, VendorForm } from '../../operations/vendor-form.ts'
import { Warnings } from '../../warnings.ts'
import { decodeFlatError } from '../text-only.ts'

/**
 * Images of DashScope in one call, which Qwen-Image and Wan 2.6 have; older models only have tasks, and DashScope refuses them here.
 * https://www.alibabacloud.com/help/en/model-studio/text-to-image-v2-api-reference (2026-11-23)
 */
export const aliImages: VendorForm = {
  format: 'ali-images',
  obstacle: imageObstacle,
  encode: ({ request }, model) => encodeImages(request, model),
  readAnswer: (answer, { created }) => readImages(answer, created),
  decodeError,
}

const KNOWN = new Set([
  'model',
  'prompt',
  'n',
  'size',
  'response_format',
  'stream',
  'negative_prompt',
  'seed',
  'prompt_extend',
  'watermark',
])
/** DashScope's own names, passed on. */
const OWN = ['negative_prompt', 'seed', 'prompt_extend', 'watermark']

function encodeImages({ body, n }: ModelRequest, model: string): { body: JsonObject; warnings: readonly string[] } {
  const warnings = new Warnings()
  const { prompt, size } = body
  const pixels = typeof size === 'string' && /^\d+[x*]\d+$/.test(size) ? size.replace('x', '*') : undefined
  if (pixels === undefined && size !== undefined && size !== null && size !== '' && size !== 'auto') warnings.add('size')
  for (const field of Object.keys(body)) if (!KNOWN.has(field)) warnings.add(field)
  const own = Object.fromEntries(OWN.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]))
  const parameters = { ...own, n, ...(pixels === undefined ? {} : { size: pixels }) }
  const input = { messages: [{ role: 'user', content: [{ text: prompt }] }] }
  return { body: { model, input, parameters }, warnings: warnings.entries }
}

function readImages(answer: unknown, created: number): FormAnswer {
  if (textAt(answer, 'code') !== undefined) return { kind: 'failed', failure: decodeError(200, answer) }
  const choices = objectsAt(objectAt(answer, 'output'), 'choices')
  const urls = choices.flatMap((choice) => objectsAt(objectAt(choice, 'message'), 'content').flatMap((part) => textAt(part, 'image') ?? []))
  if (urls.length === 0) return { kind: 'failed', failure: { kind: 'malformed', message: 'the answer has no image' } }
  return imagesAnswer(urls, created)
}

/** https://help.aliyun.com/zh/model-studio/error-code */
const STATUSES = {
  InvalidApiKey: 401,
  AccessDenied: 403,
  Arrearage: 402,
  ModelNotFound: 404,
  Throttling: 429,
  'Throttling.RateQuota': 429,
  'Throttling.AllocationQuota': 429,
  DataInspectionFailed: 400,
}

function decodeError(status: number, body: unknown) {
  return decodeFlatError(status, body, { code: 'code', message: 'message', statuses: STATUSES })
}
