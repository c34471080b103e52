import { countAt, objectAt, objectsAt, type JsonObject } from '../../json.ts'
import { promptUsage, textsOnly } from '../../calls/non-chat.ts'
import type { FormAnswer, VendorForm } from '../../calls/vendor-form.ts'
import { Warnings } from '../../warnings.ts'
import { geminiToOpenAiEmbeddings } from '../../chat/formats/gemini/embeddings-openai.ts'
import { gemini } from '../../chat/formats/gemini/index.ts'

/**
 * Text embeddings as predictions of Vertex AI: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api
 * (2026-11-23). `gemini-embedding-001` accepts one text per call.
 */
export const vertexEmbeddings: VendorForm = {
  format: 'vertex-embeddings',
  obstacle: ({ input }) => (textsOnly(input) === undefined ? 'input' : undefined),
  encode: ({ request }) => encodeTexts(request.body),
  readAnswer: (answer, { request, prompt_tokens }) =>
    readVectors(answer, { model: request.model, encoding_format: request.body['encoding_format'], prompt_tokens }),
  decodeError: (status, body) => gemini.vendor.decodeError(status, body),
}

/** Vertex's own fields, passed on to every text. */
const OWN = ['task_type', 'title']
const KNOWN = new Set(['model', 'input', 'dimensions', 'encoding_format', ...OWN])

function encodeTexts(body: JsonObject): { body: JsonObject; warnings: readonly string[] } {
  const warnings = new Warnings()
  warnings.addOthers(body, KNOWN)
  const own = Object.fromEntries(OWN.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]))
  const instances = (textsOnly(body['input']) ?? []).map((content) => ({ content, ...own }))
  const { dimensions } = body
  const parameters = dimensions === undefined || dimensions === null ? {} : { parameters: { outputDimensionality: dimensions } }
  return { body: { instances, ...parameters }, warnings: warnings.entries }
}

type Expected = { readonly model: string; readonly encoding_format: unknown; readonly prompt_tokens: number }

function readVectors(answer: unknown, { model, encoding_format, prompt_tokens }: Expected): FormAnswer {
  const predictions = objectsAt(answer, 'predictions').map((prediction) => objectAt(prediction, 'embeddings'))
  if (predictions.length === 0 || predictions.some(({ values }) => !Array.isArray(values)))
    return { kind: 'failed', failure: { kind: 'malformed', code: 'empty_response', message: 'the answer has no embeddings' } }
  const counted = predictions.reduce((sum, prediction) => sum + countAt(objectAt(prediction, 'statistics'), 'token_count'), 0)
  const usage = counted > 0 ? promptUsage(counted) : { ...promptUsage(prompt_tokens), source: 'estimated' as const }
  const embeddings = predictions.map(({ values }) => ({ values }))
  const body = geminiToOpenAiEmbeddings(
    { embeddings },
    { model, encoding_format: encoding_format === 'base64' ? 'base64' : 'float', prompt_tokens: usage.prompt_tokens },
  )
  return { kind: 'answer', body, usage, raw_usage: undefined }
}
