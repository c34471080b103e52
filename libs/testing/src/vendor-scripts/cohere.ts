import { fieldAt } from '../format-scripts/reading.ts'
import { INPUT, requireHeader, requirePath, requireThat, requireWithout, VENDOR_KEY, type VendorCall, type VendorScript } from './script.ts'

const INPUT_TYPES: readonly unknown[] = ['search_document', 'search_query', 'classification', 'clustering']

function arrayAt({ body }: VendorCall, field: string): readonly unknown[] {
  const value: unknown = fieldAt(body, field)
  return Array.isArray(value) ? value : []
}

/** https://docs.cohere.com/reference/embed */
export const cohereEmbeddings: VendorScript = (call) => {
  requirePath(call, '/v2/embed')
  requireHeader(call, 'authorization', `Bearer ${VENDOR_KEY}`)
  requireWithout(call, ['input', 'dimensions', 'encoding_format', 'user'])
  const [texts, types] = [arrayAt(call, 'texts'), arrayAt(call, 'embedding_types')]
  requireThat(texts.length > 0 && texts.length <= 96 && texts.every((text) => typeof text === 'string'), 'texts are required')
  requireThat(INPUT_TYPES.includes(fieldAt(call.body, 'input_type')), 'input_type is required')
  requireThat(types.includes('float'), 'embedding_types must hold float')
  const meta = { api_version: { version: '2' }, billed_units: { input_tokens: INPUT } }
  return { body: { id: 'e1', embeddings: { float: texts.map(() => [0.25, -0.5]) }, texts, response_type: 'embeddings_by_type', meta } }
}
