import { countAt, objectAt, textAt, type JsonObject } from '../../json.ts'
import { toRawUsage } from '../../chat/answer-facts.ts'
import { promptUsage, textsOnly } from '../../calls/non-chat.ts'
import type { FormAnswer, VendorForm } from '../../calls/vendor-form.ts'
import { Warnings } from '../../warnings.ts'
import { geminiToOpenAiEmbeddings } from '../../chat/formats/gemini/embeddings-openai.ts'
import { decodeFlatError } from '../text-only.ts'

/** https://docs.cohere.com/reference/embed (2026-11-24) */
const MAX_TEXTS = 96

/** Embeddings of Cohere's second API version. */
export const cohereEmbeddings: VendorForm = {
  format: 'cohere-embeddings',
  obstacle: ({ input }) => {
    const texts = textsOnly(input)
    if (texts === undefined) return 'input'
    if (texts.length <= MAX_TEXTS) return undefined
    return { field: 'input', detail: `field input has ${texts.length} texts, and the vendors of this model take at most ${MAX_TEXTS}` }
  },
  encode: ({ request }, upstream_model) => encodeTexts(request.body, upstream_model),
  readAnswer: (answer, { request, prompt_tokens }) =>
    readVectors(answer, { model: request.model, encoding_format: request.body['encoding_format'], prompt_tokens }),
  decodeError: (status, body) => decodeFlatError(status, body, { code: 'code', message: 'message', statuses: {} }),
}

/** Cohere requires the purpose of the vectors, which OpenAI's form does not have. */
const DEFAULT_INPUT_TYPE = 'search_document'
/** Cohere's own fields, passed on. */
const OWN = ['input_type', 'truncate', 'max_tokens']
const KNOWN = new Set(['model', 'input', 'dimensions', 'encoding_format', ...OWN])

function encodeTexts(body: JsonObject, model: string): { body: JsonObject; warnings: readonly string[] } {
  const warnings = new Warnings()
  warnings.addOthers(body, KNOWN)
  const own = Object.fromEntries(OWN.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]))
  const { dimensions } = body
  const size = dimensions === undefined || dimensions === null ? {} : { output_dimension: dimensions }
  const texts = textsOnly(body['input']) ?? []
  return {
    body: { model, texts, input_type: DEFAULT_INPUT_TYPE, embedding_types: ['float'], ...own, ...size },
    warnings: warnings.entries,
  }
}

type Expected = { readonly model: string; readonly encoding_format: unknown; readonly prompt_tokens: number }

function readVectors(answer: unknown, { model, encoding_format, prompt_tokens }: Expected): FormAnswer {
  const vectors = objectAt(answer, 'embeddings')['float']
  if (!Array.isArray(vectors) || vectors.length === 0 || !vectors.every((vector) => Array.isArray(vector))) {
    const message = textAt(answer, 'message') ?? 'the answer has no embeddings'
    return { kind: 'failed', failure: { kind: 'malformed', code: 'empty_response', message } }
  }
  const meta = objectAt(answer, 'meta')
  const billed = countAt(objectAt(meta, 'billed_units'), 'input_tokens')
  const usage = billed > 0 ? promptUsage(billed) : { ...promptUsage(prompt_tokens), source: 'estimated' as const }
  const body = geminiToOpenAiEmbeddings(
    { embeddings: vectors.map((values) => ({ values })) },
    { model, encoding_format: encoding_format === 'base64' ? 'base64' : 'float', prompt_tokens: usage.prompt_tokens },
  )
  return { kind: 'answer', body, usage, raw_usage: billed > 0 ? toRawUsage(meta) : undefined }
}
