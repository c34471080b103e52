import type { DecodedRequest } from '../chat/model-request.ts'
import { parseJsonObject, type JsonObject } from '../json.ts'
import { formCall } from './form-call.ts'
import { filesOf, type Form } from './form.ts'
import { imageStream, readImageFields, readImagesAnswer } from './images.ts'
import type { Operation } from './operation.ts'
import { invalid, nonChatRequest, readModel } from './non-chat.ts'

/** The model of a form that names none. */
const DEFAULT_MODEL = 'gpt-image-1'
/** An image of 1024 × 1024 at high fidelity: https://platform.openai.com/docs/guides/images-vision#calculating-costs */
const TOKENS_PER_IMAGE = 1100

/** POST /v1/images/edits: https://platform.openai.com/docs/api-reference/images/createEdit */
export const imageEdits: Operation = formCall({
  name: 'image-edits',
  format: 'openai-image-edits',
  readRequest: readImageEditsRequest,
  readAnswer: (bytes) => readImagesAnswer(parseJsonObject(bytes.toString())),
  stream: imageStream('image_edit.completed'),
})

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

/** Converts the form's text field `n` to a number. */
function numbered({ n }: JsonObject): JsonObject {
  return typeof n === 'string' && /^\d{1,4}$/.test(n) ? { n: Number(n) } : {}
}
