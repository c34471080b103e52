import type { Usage } from '@tollgate/contracts/pricing/quote'
import { toBase64 } from '../chat/formats/gemini/embeddings-openai.ts'
import { forClients, type ClientForm } from '../calls/client-form.ts'
import { textsOnly } from '../calls/non-chat.ts'
import { countAt, isObject, listAt, objectAt, textAt, type JsonObject } from '../json.ts'
import { cohereEmbeddings } from '../vendor-formats/cohere-embeddings/index.ts'
import { Warnings } from '../warnings.ts'
import { embeddings } from './embeddings.ts'
import { rerank } from './rerank.ts'

type Version = 1 | 2

/** Clients of Cohere's API: https://docs.cohere.com/reference/embed and /reference/rerank, compared with cohere-ai 8.1.0 (2026-11-28). */
export const cohereEmbed = (version: Version) => forClients(embeddings, embedForm(version))
export const cohereRerank = forClients(rerank, {
  obstacle: ({ documents }) => (textsOnly(documents) === undefined ? 'field documents must be an array of strings' : undefined),
  toOwn: ({ priority, ...body }) => ({ body, warnings: priority === undefined || priority === null ? [] : ['priority'] }),
  answerSettings: () => ({}),
  write: (answer, { request_id }, usage) => ({
    id: textAt(answer, 'id') ?? request_id,
    results: listAt(answer, 'results')
      .filter(isObject)
      .map(({ index, relevance_score }) => ({ index, relevance_score })),
    meta: metaOf(answer, 2, usage),
  }),
})

/** The kinds of vectors that can be made of any vendor's answer. */
const TYPES = ['float', 'base64']
/** Fields that only Cohere's own vendors read. */
const OWN = ['input_type', 'truncate', 'max_tokens'] as const

const typesOf = ({ embedding_types: types }: JsonObject): readonly string[] | undefined =>
  Array.isArray(types) && types.length > 0 ? types.map(String) : undefined

/** Texts, also as `inputs` with one part of text each. */
function textsIn({ texts, inputs }: JsonObject): readonly string[] | undefined {
  if (!Array.isArray(inputs) || inputs.length === 0) return textsOnly(texts)
  const parts = inputs.map((input) => (isObject(input) ? listAt(input, 'content') : []))
  return parts.every((content) => content.length === 1 && isObject(content[0]) && content[0]['type'] === 'text')
    ? parts.map((content) => textAt(content[0], 'text') ?? '')
    : undefined
}

function embedForm(version: Version): ClientForm {
  return {
    obstacle: (body) => {
      const other = typesOf(body)?.find((type) => !TYPES.includes(type))
      if (other !== undefined) return `field embedding_types: ${other} is not offered by this gateway, float and base64 are`
      if (Array.isArray(body['images']) && body['images'].length > 0) return 'field images is not offered by this gateway'
      if (textsIn(body) === undefined) return 'field texts must be an array of strings; other inputs are not offered by this gateway'
      return undefined
    },
    toOwn: (body, format) => {
      const warnings = new Warnings()
      const isCohere = format === cohereEmbeddings.format
      const given = OWN.filter((name) => body[name] !== undefined && body[name] !== null)
      if (!isCohere && format !== undefined) for (const name of given) warnings.add(name)
      if (body['priority'] !== undefined && body['priority'] !== null) warnings.add('priority')
      const { model, output_dimension: dimensions } = body
      return {
        body: {
          ...(model === undefined ? {} : { model }),
          input: textsIn(body) ?? [],
          encoding_format: 'float',
          ...(dimensions === undefined || dimensions === null ? {} : { dimensions }),
          ...(isCohere ? Object.fromEntries(given.map((name) => [name, body[name]])) : {}),
        },
        warnings: warnings.entries,
      }
    },
    answerSettings: (body) => ({ embedding_types: body['embedding_types'], texts: textsIn(body) }),
    write: (answer, { request, request_id }, usage) => {
      const vectors = listAt(answer, 'data').map((item) => (isObject(item) ? listAt(item, 'embedding') : []))
      const texts = textsIn(request.body) ?? []
      const shared = { id: request_id, texts, meta: metaOf(answer, version, usage) }
      const types = typesOf(request.body) ?? (version === 2 ? ['float'] : undefined)
      if (types === undefined) return { ...shared, response_type: 'embeddings_floats', embeddings: vectors }
      const byType = types.map((type) => [type, type === 'base64' ? vectors.map((vector) => toBase64(vector.map(Number))) : vectors])
      return { ...shared, response_type: 'embeddings_by_type', embeddings: Object.fromEntries(byType) }
    },
  }
}

/** The billed units, in Cohere's words where the vendor states them, else in tokens. */
function metaOf(answer: JsonObject, version: Version, usage: Usage | undefined): JsonObject {
  const search_units = countAt(objectAt(objectAt(answer, 'meta'), 'billed_units'), 'search_units')
  const tokens = usage === undefined || usage.prompt_tokens === 0 ? {} : { input_tokens: usage.prompt_tokens }
  return { api_version: { version: String(version) }, billed_units: search_units > 0 ? { search_units } : tokens }
}
