import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import { isObject, type JsonObject } from '../../../json.ts'
import { embedInputs, promptTokensIn, toGeminiEmbeddings, vectorsIn } from './embeddings.ts'

/** Converts OpenAI's embeddings to Google's `batchEmbedContents` and back. https://platform.openai.com/docs/api-reference/embeddings */

export type ConvertedEmbeddingRequest =
  | { readonly kind: 'ok'; readonly method: 'batchEmbedContents'; readonly body: JsonObject; readonly warnings: readonly string[] }
  | { readonly kind: 'invalid'; readonly field: string; readonly detail: string }

/**
 * Encodes a checked OpenAI body for Google; one or several texts. Inputs given as token numbers belong to another tokenizer and are
 * refused.
 */
export function openAiToGeminiEmbeddings(body: JsonObject, upstream_model: string): ConvertedEmbeddingRequest {
  const { input, dimensions } = body
  const texts: readonly unknown[] = Array.isArray(input) ? input : [input]
  if (!texts.every((text) => typeof text === 'string')) {
    return { kind: 'invalid', field: 'input', detail: 'this model takes texts only: field input must be a string or an array of strings' }
  }
  const size = typeof dimensions === 'number' ? { outputDimensionality: dimensions } : {}
  const model = `models/${upstream_model}`
  const requests = texts.map((text) => ({ model, content: { parts: [{ text }] }, ...size }))
  return { kind: 'ok', method: 'batchEmbedContents', body: { requests }, warnings: body['user'] === undefined ? [] : ['user'] }
}

export type EmbedAnswerInput = {
  /** The model name that the client sent. */
  readonly model: string
  readonly encoding_format: 'float' | 'base64'
  /** The usage that upstream reported, else our estimate. */
  readonly prompt_tokens: number
}

/** Converts Google's answer to OpenAI's; base64 is of little-endian 32-bit floats, as OpenAI's clients read it. */
export function geminiToOpenAiEmbeddings(answer: unknown, { model, encoding_format, prompt_tokens }: EmbedAnswerInput): JsonObject {
  const data = vectorsIn(answer).map((values, index) => ({
    object: 'embedding',
    index,
    embedding: encoding_format === 'base64' ? toBase64(values) : values,
  }))
  return { object: 'list', data, model, usage: { prompt_tokens, total_tokens: prompt_tokens } }
}

/** Encodes a checked Google body for an OpenAI vendor. */
export function geminiToOpenAiEmbeddingRequest(
  method: 'embedContent' | 'batchEmbedContents',
  body: JsonObject,
  upstream_model: string,
): { readonly body: JsonObject; readonly warnings: readonly string[] } {
  const { texts, dimensions, warnings } = embedInputs(method, body)
  const size = dimensions === undefined ? {} : { dimensions }
  return { body: { model: upstream_model, input: texts, ...size, encoding_format: 'float' }, warnings }
}

export type ConvertedEmbedAnswer =
  | { readonly kind: 'ok'; readonly body: JsonObject }
  | { readonly kind: 'failed'; readonly failure: UpstreamFailure }

/** Converts an OpenAI vendor's answer to Google's. */
export function openAiToGeminiEmbedAnswer(method: 'embedContent' | 'batchEmbedContents', answer: unknown): ConvertedEmbedAnswer {
  const data = isObject(answer) && Array.isArray(answer['data']) ? answer['data'].filter(isObject) : []
  const vectors = data
    .toSorted((left, right) => Number(left['index'] ?? 0) - Number(right['index'] ?? 0))
    .map(({ embedding }) => toVector(embedding))
  if (vectors.length === 0 || vectors.some((vector) => vector === undefined))
    return { kind: 'failed', failure: { kind: 'malformed', code: 'empty_response', message: 'the answer has no embeddings' } }
  return {
    kind: 'ok',
    body: toGeminiEmbeddings(
      method,
      vectors.map((vector) => vector ?? []),
      promptTokensIn(answer),
    ),
  }
}

function toVector(embedding: unknown): number[] | undefined {
  if (typeof embedding === 'string') return fromBase64(embedding)
  return Array.isArray(embedding) ? embedding.filter((value) => typeof value === 'number') : undefined
}

const FLOAT_BYTES = 4

/** Little-endian 32-bit floats: https://platform.openai.com/docs/api-reference/embeddings/create#encoding_format */
export function toBase64(values: readonly number[]): string {
  const bytes = Buffer.alloc(values.length * FLOAT_BYTES)
  for (const [index, value] of values.entries()) bytes.writeFloatLE(value, index * FLOAT_BYTES)
  return bytes.toString('base64')
}

export function fromBase64(text: string): number[] {
  const bytes = Buffer.from(text, 'base64')
  return Array.from({ length: Math.floor(bytes.length / FLOAT_BYTES) }, (_, index) => bytes.readFloatLE(index * FLOAT_BYTES))
}
