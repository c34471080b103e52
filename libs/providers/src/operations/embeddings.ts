import type { DecodedRequest } from '../chat/model-request.ts'
import type { ReadAnswer } from '../chat/codec.ts'
import { isObject, type JsonObject } from '../json.ts'
import { fromBase64, toBase64 } from '../chat/formats/gemini/embeddings-openai.ts'
import { embeddingsFromGoogle, findEmbedObstacle } from './gemini-embeddings.ts'
import type { Operation } from '../calls/operation.ts'
import { invalid, NOT_AN_OBJECT, nonChatRequest, readModel, readPromptAnswer } from '../calls/non-chat.ts'
import { cohereEmbeddings } from '../vendor-formats/cohere-embeddings/index.ts'
import { vertexEmbeddings } from '../vendor-formats/vertex-embeddings/index.ts'
import { jsonCall } from '../calls/json-call.ts'
import { withForms } from '../calls/vendor-form.ts'

/** POST /v1/embeddings: https://platform.openai.com/docs/api-reference/embeddings/create */
export const embeddings: Operation = withForms(
  withGoogle(
    jsonCall({
      name: 'embeddings',
      format: 'openai-embeddings',
      readRequest: readEmbeddingsRequest,
      readAnswer: readEmbeddings,
      rewriteAnswer: (body, { request }) => inEncoding(body, request.body['encoding_format'] === 'base64' ? 'base64' : 'float'),
    }),
  ),
  [vertexEmbeddings, cohereEmbeddings],
)

/** The second takes one text per call. */
const GOOGLE = ['gemini-embeddings', 'gemini-embed-content'] as const

/** Adds vendors of Google's format, which support text input only. */
function withGoogle(own: Operation): Operation {
  return {
    ...own,
    findObstacle: ({ body }) => {
      const detail = findEmbedObstacle(body)
      return detail === undefined ? undefined : { detail }
    },
    formatFor: (formats, request) => {
      const same = own.formatFor(formats, request)
      const google = GOOGLE.find((format) => formats.includes(format))
      if (same !== undefined || google === undefined) return same
      return findEmbedObstacle(request.body, google) === undefined ? google : undefined
    },
    answerSettings: ({ body }) => ({ encoding_format: body['encoding_format'] }),
    createTranslator: (format, input) =>
      format === 'gemini-embeddings' || format === 'gemini-embed-content'
        ? embeddingsFromGoogle(input, format)
        : own.createTranslator(format, input),
  }
}

function readEmbeddingsRequest(body: unknown, route: { readonly model?: string }): DecodedRequest {
  if (!isObject(body)) return NOT_AN_OBJECT
  const model = readModel(body, route.model)
  if (typeof model !== 'string') return model
  const { encoding_format, dimensions } = body
  if (encoding_format !== undefined && encoding_format !== null && encoding_format !== 'float' && encoding_format !== 'base64')
    return invalid('request.field', 'field encoding_format must be float or base64')
  if (dimensions !== undefined && dimensions !== null && !(Number.isSafeInteger(dimensions) && Number(dimensions) > 0))
    return invalid('request.field', 'field dimensions must be a positive integer')
  const input = readInput(body['input'])
  if (typeof input === 'string') return invalid('request.field', input)
  return { kind: 'ok', request: nonChatRequest(body, { model, texts: input.texts, extra_tokens: input.tokens }) }
}

type Input = { readonly texts: readonly string[]; readonly tokens: number }

/** Reads one or several texts or token lists; a returned string is an error detail. */
function readInput(input: unknown): Input | string {
  if (input === undefined || input === null || input === '') return 'input is empty'
  if (typeof input === 'string') return { texts: [input], tokens: 0 }
  if (!Array.isArray(input)) return 'field input must be a string or an array'
  if (input.length === 0) return 'input is empty'
  const list: readonly unknown[] = input
  if (list.every((item) => typeof item === 'string')) return { texts: list, tokens: 0 }
  if (list.every(isToken)) return { texts: [], tokens: list.length }
  const isLists = list.every((item): item is readonly unknown[] => Array.isArray(item) && item.every(isToken))
  if (!isLists) return 'field input must hold strings only, or tokens only'
  return { texts: [], tokens: list.flat().length }
}

const isToken = (item: unknown): item is number => Number.isSafeInteger(item)

function readEmbeddings(body: unknown): ReadAnswer {
  const read = readPromptAnswer(body, 'data')
  const isEmpty = read.kind === 'answer' && isObject(body) && Array.isArray(body['data']) && body['data'].length === 0
  return isEmpty ? { kind: 'failed', failure: { kind: 'malformed', message: 'the answer has no embeddings' } } : read
}

/**
 * The answer with its vectors in the encoding that the client asked for; undefined if they are. OpenAI's Node SDK asks for base64 by
 * default and decodes whatever comes (seen with openai 7.57.0), and many vendors of this format answer with floats.
 */
function inEncoding(body: unknown, wanted: 'float' | 'base64'): JsonObject | undefined {
  if (!isObject(body) || !Array.isArray(body['data'])) return undefined
  const list: readonly unknown[] = body['data']
  let isChanged = false
  const data = list.map((item) => {
    const embedding = isObject(item) ? encodeVector(item['embedding'], wanted) : undefined
    if (embedding === undefined || !isObject(item)) return item
    isChanged = true
    return { ...item, embedding }
  })
  return isChanged ? { ...body, data } : undefined
}

function encodeVector(given: unknown, wanted: 'float' | 'base64'): unknown {
  if (wanted === 'float') return typeof given === 'string' ? fromBase64(given) : undefined
  return Array.isArray(given) && given.every((value) => typeof value === 'number') ? toBase64(given) : undefined
}
