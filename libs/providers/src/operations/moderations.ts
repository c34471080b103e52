import type { DecodedRequest } from '../chat/model-request.ts'
import { isObject } from '../json.ts'
import type { Operation } from '../calls/operation.ts'
import { invalid, NOT_AN_OBJECT, nonChatRequest, readModel, readPromptAnswer } from '../calls/non-chat.ts'
import { jsonCall } from '../calls/json-call.ts'

/** The model of a body that names none. */
const DEFAULT_MODEL = 'omni-moderation-latest'

/** POST /v1/moderations: https://platform.openai.com/docs/api-reference/moderations/create */
export const moderations: Operation = jsonCall({
  name: 'moderations',
  format: 'openai-moderations',
  readRequest: readModerationsRequest,
  readAnswer: (body) => readPromptAnswer(body, 'results'),
})

function readModerationsRequest(body: unknown): DecodedRequest {
  if (!isObject(body)) return NOT_AN_OBJECT
  const model = readModel(body, DEFAULT_MODEL)
  if (typeof model !== 'string') return model
  const { input } = body
  if (input === undefined || input === null || input === '') return invalid('request.field', 'field input is required')
  if (typeof input === 'string') return { kind: 'ok', request: nonChatRequest(body, { model, texts: [input] }) }
  if (!Array.isArray(input)) return invalid('request.field', 'field input must be a string or an array')
  const texts: string[] = []
  for (const [index, part] of input.entries()) {
    if (typeof part === 'string') texts.push(part)
    else if (!isObject(part)) return invalid('request.field', `field input[${index}] must be a string or an object`)
    else if (typeof part['text'] === 'string') texts.push(part['text'])
  }
  return { kind: 'ok', request: nonChatRequest(body, { model, texts }) }
}
