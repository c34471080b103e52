import type { DecodedRequest } from '../chat/model-request.ts'
import { parseJsonObject, type JsonObject } from '../json.ts'
import { formCall } from './form-call.ts'
import { filesOf, type Form } from './form.ts'
import { imageStream, readImageFields, readImagesAnswer } from './images.ts'
import type { Operation } from './operation.ts'
import { invalid, plainRequest, readModel } from './plain.ts'

/** What a form without a model means: relay-facts 1.1. */
const DEFAULT_MODEL = 'gpt-image-1'
/** A picture of 1024 by 1024 at high fidelity: https://platform.openai.com/docs/guides/images-vision#calculating-costs */
const TOKENS_OF_IMAGE = 1100

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
  const asked = readImageFields({ ...fields, ...numbered(fields) }, model)
  if ('kind' in asked) return asked
  const pictures = images + filesOf(form, 'mask')
  return { kind: 'ok', request: plainRequest(fields, { ...asked, extra_tokens: pictures * TOKENS_OF_IMAGE }) }
}

/** A number of a form is text. */
function numbered({ n }: JsonObject): JsonObject {
  return typeof n === 'string' && /^\d{1,4}$/.test(n) ? { n: Number(n) } : {}
}
