import type { DecodedRequest } from '../chat/model-request.ts'
import { isObject, parseJsonObject, type JsonObject } from '../json.ts'
import { formCall } from '../calls/form-call.ts'
import { filesOf, type Form } from '../form.ts'
import { asOrder, imageEvents, imageStream, readImageFields, readImagesAnswer } from './images.ts'
import type { Operation } from '../calls/operation.ts'
import { jsonCall } from '../calls/json-call.ts'
import { invalid, NOT_AN_OBJECT, nonChatRequest, readModel } from '../calls/non-chat.ts'

/** The model of a form that names none. */
const DEFAULT_MODEL = 'gpt-image-1'
/** An image of 1024 × 1024 at high fidelity: https://platform.openai.com/docs/guides/images-vision#calculating-costs */
const TOKENS_PER_IMAGE = 1100

/** POST /v1/images/edits: https://platform.openai.com/docs/api-reference/images/createEdit */
export const imageEdits: Operation = asOrder(
  formCall({
    name: 'image-edits',
    format: 'openai-image-edits',
    readRequest: readImageEditsRequest,
    readAnswer: (bytes) => readImagesAnswer(parseJsonObject(bytes.toString())),
    stream: imageStream('image_edit.completed'),
    eventsOf: (bytes) => imageEvents('image_edit.completed')(parseJsonObject(bytes.toString())),
  }),
)

function readImageEditsRequest(form: Form, fields: JsonObject): DecodedRequest {
  const model = readModel(fields, DEFAULT_MODEL)
  if (typeof model !== 'string') return model
  const images = filesOf(form, 'image', 'image[]')
  if (images === 0) return invalid('request.field', 'image is required')
  const read = readImageFields({ ...fields, ...numbered(fields) }, model)
  if ('kind' in read) return read
  const inputs = images + filesOf(form, 'mask')
  return { kind: 'ok', request: nonChatRequest(fields, { ...read, extra_tokens: inputs * TOKENS_PER_IMAGE }) }
}

/**
 * POST /v1/images/edits with a JSON body, whose images are addresses or data URLs:
 * https://developers.openai.com/api/reference/resources/images/methods/edit (2026-11-24)
 */
export const jsonImageEdits: Operation = {
  isOrder: true,
  ...jsonCall({
    name: 'image-edits',
    format: 'openai-image-edits-json',
    readRequest: readJsonImageEdits,
    readAnswer: readImagesAnswer,
    stream: imageStream('image_edit.completed'),
    eventsOf: imageEvents('image_edit.completed'),
  }),
  findObstacle: () => ({ field: 'images', detail: 'the vendors of this model accept image edits as multipart/form-data only' }),
}

function readJsonImageEdits(body: unknown): DecodedRequest {
  if (!isObject(body)) return NOT_AN_OBJECT
  const model = readModel(body, DEFAULT_MODEL)
  if (typeof model !== 'string') return model
  const { images, mask } = body
  const masks = mask === undefined || mask === null ? [] : [['mask', mask] as const]
  if (images === undefined || images === null) return invalid('request.field', 'images is required')
  if (!Array.isArray(images) || images.length === 0) return invalid('request.field', 'field images must be an array of images')
  const inputs = [...images.map((image: unknown, at) => [`images[${at}]`, image] as const), ...masks]
  const fault = inputs.map(([name, image]) => findImageFault(name, image)).find((found) => found !== undefined)
  if (fault !== undefined) return invalid('request.field', fault)
  const read = readImageFields(body, model)
  if ('kind' in read) return read
  return { kind: 'ok', request: nonChatRequest(body, { ...read, extra_tokens: inputs.length * TOKENS_PER_IMAGE }) }
}

/** Files of a vendor belong to the channel's account, which many users share, so they cannot be referred to. */
function findImageFault(name: string, image: unknown): string | undefined {
  if (!isObject(image)) return `field ${name} must be an object with image_url`
  if (image['file_id'] !== undefined) return `field ${name}.file_id is not supported: send image_url`
  const url = image['image_url']
  if (typeof url === 'string' && /^(https?:\/\/|data:image\/)/i.test(url)) return undefined
  return `field ${name}.image_url must be an address (http or https) or a data URL of an image`
}

/** Converts the form's text field `n` to a number. */
function numbered({ n }: JsonObject): JsonObject {
  return typeof n === 'string' && /^\d{1,4}$/.test(n) ? { n: Number(n) } : {}
}
