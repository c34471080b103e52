import type { DecodedRequest, ModelRequest } from '../chat/model-request.ts'
import { objectAt, objectsAt, type JsonObject } from '../json.ts'
import type { Translator, TranslatorInput } from '../calls/operation.ts'
import type { Usage } from '@tollgate/contracts/pricing/quote'
import { asConverted } from '../calls/client-form.ts'
import type { ApiFormat } from '../calls/api-format.ts'
import { embeddings } from './embeddings.ts'

/**
 * Embeddings as `predict`, which Google's SDK asks for in its mode for Vertex AI, by way of OpenAI's.
 * https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api (read 2026-11-28)
 */
export const asksForEmbeddings = (body: JsonObject): boolean => objectsAt(body, 'instances').some(({ content }) => content !== undefined)

export function readPredictEmbeddings(body: JsonObject, model: string | undefined): DecodedRequest {
  const read = embeddings.readRequest({ model, ...asOpenAi(body) }, {})
  return read.kind === 'ok' ? { kind: 'ok', request: { ...read.request, body } } : read
}

export const formatForEmbeddings = (formats: readonly ApiFormat[], request: ModelRequest): ApiFormat | undefined =>
  embeddings.formatFor(formats, asEmbeddings(request))

function asOpenAi(body: JsonObject): JsonObject {
  const { outputDimensionality } = objectAt(body, 'parameters')
  const input = objectsAt(body, 'instances').map(({ content }) => content)
  return { input, ...(outputDimensionality === undefined ? {} : { dimensions: outputDimensionality }) }
}

const asEmbeddings = (request: ModelRequest): ModelRequest => ({ ...request, body: { model: request.model, ...asOpenAi(request.body) } })

const KEPT: readonly string[] = ['outputDimensionality', 'autoTruncate']

export function translateEmbeddings(format: ApiFormat, input: TranslatorInput): Translator {
  const request = asEmbeddings(input.request)
  const inner = embeddings.createTranslator(format, { ...input, request, raw: Buffer.from(JSON.stringify(request.body)) })
  const { body } = input.request
  const left = [
    ...objectsAt(body, 'instances').flatMap((instance) => Object.keys(instance).filter((name) => name !== 'content')),
    ...Object.keys(objectAt(body, 'parameters')).filter((name) => !KEPT.includes(name)),
  ]
  return asConverted(inner, { warnings: [...new Set(left)], write: writePredictions })
}

function writePredictions(answer: JsonObject, usage: Usage | undefined): JsonObject {
  const data = objectsAt(answer, 'data')
  const token_count = Math.round((usage?.prompt_tokens ?? 0) / Math.max(1, data.length))
  return {
    predictions: data.map(({ embedding }) => ({ embeddings: { values: embedding, statistics: { token_count, truncated: false } } })),
  }
}
