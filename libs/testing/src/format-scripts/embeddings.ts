import { FORMAT_USAGE } from './script.ts'
import { fieldAt } from './reading.ts'

const VECTOR = [0.5, -0.25, 0.125]

/** One vector per input, in OpenAI's and Gemini's shapes; undefined: the path is not one of embeddings. */
export function embeddingsAt(path: string, body: Record<string, unknown>): object | undefined {
  if (path.startsWith('/v1/embeddings')) {
    const input = fieldAt(body, 'input')
    // A list of numbers is one input of tokens.
    const count = Array.isArray(input) && typeof input[0] !== 'number' ? input.length : 1
    const embedding = fieldAt(body, 'encoding_format') === 'base64' ? toBase64(VECTOR) : VECTOR
    const data = Array.from({ length: count }, (_, index) => ({ object: 'embedding', index, embedding }))
    return {
      object: 'list',
      data,
      model: fieldAt(body, 'model'),
      usage: { prompt_tokens: FORMAT_USAGE.input, total_tokens: FORMAT_USAGE.input },
    }
  }
  if (/:embedContent(?:\?|$)/.test(path)) return { embedding: { values: VECTOR } }
  const requests = /:batchEmbedContents(?:\?|$)/.test(path) ? fieldAt(body, 'requests') : undefined
  return Array.isArray(requests) ? { embeddings: requests.map(() => ({ values: VECTOR })) } : undefined
}

const toBase64 = (vector: readonly number[]): string => Buffer.from(Float32Array.from(vector).buffer).toString('base64')
