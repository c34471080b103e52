import type { DecodedRequest } from '../chat/model-request.ts'
import type { ReadAnswer } from '../chat/codec.ts'
import { toRawUsage } from '../chat/answer-facts.ts'
import { countAt, isObject, objectAt, type JsonObject } from '../json.ts'
import type { Operation } from '../calls/operation.ts'
import { invalid, NOT_AN_OBJECT, nonChatRequest, promptUsage, readModel, readListAnswer } from '../calls/non-chat.ts'
import { jsonCall } from '../calls/json-call.ts'

/** POST /v1/rerank in Jina's form: https://api.jina.ai/redoc#tag/rerank */
export const rerank: Operation = jsonCall({
  name: 'rerank',
  format: 'rerank',
  readRequest: readRerankRequest,
  readAnswer: (body) => readRerankAnswer(toResults(body) ?? body),
  rewriteAnswer: toResults,
})

function readRerankRequest(body: unknown): DecodedRequest {
  if (!isObject(body)) return NOT_AN_OBJECT
  const model = readModel(body, undefined)
  if (typeof model !== 'string') return model
  const { query, documents } = body
  if (query === undefined || query === null || query === '') return invalid('request.field', 'query is empty')
  if (typeof query !== 'string') return invalid('request.field', 'field query must be a string')
  if (documents === undefined || documents === null) return invalid('request.field', 'documents is empty')
  if (!Array.isArray(documents)) return invalid('request.field', 'field documents must be an array')
  if (documents.length === 0) return invalid('request.field', 'documents is empty')
  const texts = [query]
  for (const [index, document] of documents.entries()) {
    const text: unknown = isObject(document) ? document['text'] : document
    if (typeof text === 'string') texts.push(text)
    else if (!isObject(document)) return invalid('request.field', `field documents[${index}] must be a string or an object`)
  }
  return { kind: 'ok', request: nonChatRequest(body, { model, texts }) }
}

/**
 * The answer of servers that send the bare list: sglang's `/v1/rerank` and text-embeddings-inference (`score` in place of
 * `relevance_score`, `text` in place of `document`), and of those that name it `data`, which stays for their own clients: Voyage and
 * Mixedbread (voyageai 0.4.0, @mixedbread/sdk 0.78.0). Undefined: it has results already.
 */
function toResults(body: unknown): JsonObject | undefined {
  if (isObject(body) && body['results'] === undefined && Array.isArray(body['data'])) return { ...body, ...toResults(body['data']) }
  if (!Array.isArray(body) || !body.every(isObject)) return undefined
  const results = body.map(({ score, text, ...item }) => ({
    ...item,
    ...(score === undefined ? {} : { relevance_score: score }),
    ...(text === undefined ? {} : { document: { text } }),
  }))
  return { results }
}

/** Tokens are under `usage` (Jina), `meta.tokens` (SiliconFlow, Cohere) or `meta.billed_units`, and count as prompt tokens. */
function readRerankAnswer(body: unknown): ReadAnswer {
  const read = readListAnswer(body, 'results')
  if (read.kind === 'failed') return read
  const raw = objectAt(body, 'usage')
  const meta = objectAt(body, 'meta')
  const tokens =
    countAt(raw, 'total_tokens') || countAt(raw, 'prompt_tokens') || sum(objectAt(meta, 'tokens')) || sum(objectAt(meta, 'billed_units'))
  const search_units = countAt(objectAt(meta, 'billed_units'), 'search_units')
  if (tokens === 0 && search_units === 0) return read
  const units = search_units === 0 ? {} : { search_units }
  return {
    ...read,
    usage: { ...promptUsage(tokens), ...units, ...(tokens === 0 ? { missing: ['prompt'] as const } : {}) },
    raw_usage: toRawUsage(isObject(body) ? (body['usage'] ?? meta) : meta),
  }
}

const sum = (counts: object) => countAt(counts, 'input_tokens') + countAt(counts, 'output_tokens')
