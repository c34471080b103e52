import { textOf } from '@tollgate/contracts/app-error'
import type { Usage } from '@tollgate/contracts/pricing/quote'
import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import type { DecodedRequest, RouteFacts } from '../../model-request.ts'
import type { PassThroughInput } from '../../codec.ts'
import { toRawUsage } from '../../answer-facts.ts'
import { countAt, isObject, objectAt, textAt, type JsonObject } from '../../../json.ts'
import { decodeGeminiError, errorIn } from './errors.ts'
import { fieldAt, listField, objectField, toNumber } from './fields.ts'
import { promptOf, type PromptFacts } from './prompt.ts'
import { modelIn } from './request.ts'
import { findContentFault, findFault, type FieldFault } from './schema.ts'
import { usageFromGemini } from './usage.ts'

/** Methods of a model that return no generated text. https://ai.google.dev/api/embeddings · https://ai.google.dev/api/tokens */
export type GeminiMethod = 'embedContent' | 'batchEmbedContents' | 'countTokens'

/** Validates a body of one of these methods field by field; the model comes from the path. Never throws. */
export function decodeGeminiMethodRequest(method: GeminiMethod, body: unknown, route: RouteFacts): DecodedRequest {
  if (!isObject(body)) return { kind: 'invalid', code: 'request.invalid', detail: 'the body must be a JSON object' }
  const model = modelIn(route)
  if (model === undefined) return { kind: 'invalid', code: 'model.missing', detail: textOf('model.missing', 'en'), field: 'model' }
  const found = FAULTS[method](body, model)
  if (found !== undefined) return { kind: 'invalid', code: 'request.field', ...found }
  return {
    kind: 'ok',
    request: {
      body,
      model,
      is_stream: false,
      include_usage: true,
      max_tokens: undefined,
      n: 1,
      reasoning_effort: undefined,
      has_tools: false,
      ...factsOf(method, body),
    },
  }
}

const FAULTS: Readonly<Record<GeminiMethod, (body: JsonObject, model: string) => FieldFault | undefined>> = {
  embedContent: (body, model) => findRequestFault(body, '', model),
  batchEmbedContents: findBatchFault,
  countTokens: (body) => findFault(countedIn(body)),
}

function findBatchFault(body: JsonObject, model: string): FieldFault | undefined {
  const { requests } = body
  if (requests === undefined || requests === null) return { field: 'requests', detail: 'field requests is required' }
  if (!Array.isArray(requests)) return { field: 'requests', detail: 'field requests must be an array' }
  if (requests.length === 0) return { field: 'requests', detail: 'field requests is required' }
  for (const [index, request] of requests.entries()) {
    const path = `requests[${index}]`
    if (!isObject(request)) return { field: path, detail: `field ${path} must be an object` }
    const found = findRequestFault(request, `${path}.`, model)
    if (found !== undefined) return found
  }
  return undefined
}

function findRequestFault(request: JsonObject, prefix: string, model: string): FieldFault | undefined {
  const content = fieldAt(request, 'content')
  if (content === undefined) return { field: `${prefix}content`, detail: `field ${prefix}content is required` }
  const found = findContentFault(content, `${prefix}content`)
  if (found !== undefined) return found
  const size = fieldAt(request, 'outputDimensionality')
  const isSize = size === undefined || (Number.isSafeInteger(toNumber(size)) && Number(size) > 0)
  if (!isSize) return faultAt(`${prefix}outputDimensionality`, 'a positive integer')
  const named = fieldAt(request, 'model')
  // Google refuses a batch for several models.
  const isSameModel = named === undefined || (typeof named === 'string' && bare(named) === model)
  return isSameModel ? undefined : faultAt(`${prefix}model`, `models/${model}`)
}

const faultAt = (field: string, kind: string): FieldFault => ({ field, detail: `field ${field} must be ${kind}` })
const bare = (name: string) => name.replace(/^models\//, '')

/** The tokens of plain contents or of a whole request can be counted. */
function countedIn(body: JsonObject): JsonObject {
  const whole = fieldAt(body, 'generateContentRequest')
  return isObject(whole) ? whole : body
}

function factsOf(method: GeminiMethod, body: JsonObject): PromptFacts {
  if (method === 'countTokens') return promptOf(countedIn(body))
  return promptOf({ contents: requestsIn(method, body).map((request) => fieldAt(request, 'content')) })
}

function requestsIn(method: GeminiMethod, body: JsonObject): readonly unknown[] {
  return method === 'batchEmbedContents' ? listField(body, 'requests') : [body]
}

/** The body for upstream: the client's own bytes, unless the body names a model and upstream's has another name. */
export function encodeGeminiMethodBody(
  method: GeminiMethod,
  { raw, body, upstream_model, param_override, patch }: PassThroughInput,
): Buffer {
  const renamed = rename(method, body, `models/${upstream_model}`)
  const patched = patch?.(renamed) ?? renamed
  const hasOverride = param_override !== undefined && Object.keys(param_override).length > 0
  return patched === body && !hasOverride ? raw : Buffer.from(JSON.stringify({ ...patched, ...param_override }))
}

function rename(method: GeminiMethod, body: JsonObject, model: string): JsonObject {
  const isOther = (value: unknown) => typeof fieldAt(value, 'model') === 'string' && fieldAt(value, 'model') !== model
  const whole = objectField(body, 'generateContentRequest')
  if (method === 'countTokens' && isOther(whole)) return { ...body, generateContentRequest: { ...whole, model } }
  const { requests } = body
  if (method === 'batchEmbedContents' && Array.isArray(requests) && requests.some(isOther)) {
    return { ...body, requests: requests.map((request: unknown) => (isObject(request) ? { ...request, model } : request)) }
  }
  return isOther(body) ? { ...body, model } : body
}

export type ReadMethodAnswer =
  | { readonly kind: 'answer'; readonly usage: Usage | undefined; readonly raw_usage: string | undefined }
  | { readonly kind: 'failed'; readonly failure: UpstreamFailure }

/** Reads a parsed answer: newer models report the tokens they read; counting tokens costs nothing. */
export function readGeminiMethodAnswer(method: GeminiMethod, body: unknown): ReadMethodAnswer {
  if (errorIn(body) !== undefined) return { kind: 'failed', failure: decodeGeminiError(200, body) }
  if (method === 'countTokens') {
    if (isObject(body) && typeof body['totalTokens'] === 'number') return { kind: 'answer', usage: undefined, raw_usage: undefined }
    return { kind: 'failed', failure: { kind: 'malformed', message: 'the answer has no token count' } }
  }
  if (vectorsIn(body).length === 0)
    return { kind: 'failed', failure: { kind: 'malformed', code: 'empty_response', message: 'the answer has no embeddings' } }
  const raw = objectAt(body, 'usageMetadata')
  const usage = usageFromGemini(raw)
  return { kind: 'answer', usage, raw_usage: usage === undefined ? undefined : toRawUsage(raw) }
}

/** The vectors of an answer of either method, in order. */
export function vectorsIn(body: unknown): number[][] {
  const many = isObject(body) && Array.isArray(body['embeddings']) ? body['embeddings'] : [objectAt(body, 'embedding')]
  return many.flatMap((one: unknown) => {
    const values = isObject(one) ? one['values'] : undefined
    return Array.isArray(values) ? [values.filter((value) => typeof value === 'number')] : []
  })
}

/** Builds an answer of these methods from vectors, or from our own count. */
export function toGeminiEmbeddings(
  method: 'embedContent' | 'batchEmbedContents',
  vectors: readonly (readonly number[])[],
  tokens: number,
): JsonObject {
  const usageMetadata = { promptTokenCount: tokens }
  const [first = []] = vectors
  if (method === 'embedContent') return { embedding: { values: first }, usageMetadata }
  return { embeddings: vectors.map((values) => ({ values })), usageMetadata }
}

/** https://ai.google.dev/api/tokens#response-body */
export function toGeminiTokenCount(tokens: number): JsonObject {
  return { totalTokens: tokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: tokens }] }
}

/** The texts, sizes and untranslatable fields of a checked body, for a vendor of another format. */
export function embedInputs(method: 'embedContent' | 'batchEmbedContents', body: JsonObject): EmbedInputs {
  const warnings = new Set<string>()
  const requests = requestsIn(method, body)
  const sizes = new Set(requests.map((request) => toNumber(fieldAt(request, 'outputDimensionality'))))
  if (sizes.size > 1) warnings.add('outputDimensionality')
  const texts = requests.map((request) => {
    for (const field of ['taskType', 'title']) if (fieldAt(request, field) !== undefined) warnings.add(field)
    const parts = listField(fieldAt(request, 'content'), 'parts')
    if (parts.some((part) => textAt(part, 'text') === undefined)) warnings.add('content')
    return parts.map((part) => textAt(part, 'text') ?? '').join('\n')
  })
  return { texts, dimensions: [...sizes][0], warnings: [...warnings] }
}

export type EmbedInputs = {
  readonly texts: readonly string[]
  readonly dimensions: number | undefined
  readonly warnings: readonly string[]
}

/** The token count in an OpenAI vendor's answer. */
export const promptTokensIn = (body: unknown): number => countAt(objectAt(body, 'usage'), 'prompt_tokens')
