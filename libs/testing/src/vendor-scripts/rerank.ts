import { fieldAt } from '../format-scripts/reading.ts'
import { INPUT, requireHeader, requirePath, requireThat, requireWithout, VENDOR_KEY, type VendorCall, type VendorScript } from './script.ts'

function countDocuments(call: VendorCall, path: string): number {
  requirePath(call, path)
  requireHeader(call, 'authorization', `Bearer ${VENDOR_KEY}`)
  const documents = fieldAt(call.body, 'documents')
  const list: readonly unknown[] = Array.isArray(documents) ? documents : []
  requireThat(list.length > 0, 'documents are required')
  return list.length
}

const ranked = (count: number) => Array.from({ length: count }, (_, index) => ({ index, relevance_score: 0.9 - index / 10 }))

/** https://jina.ai/reranker */
export const jinaRerank: VendorScript = (call) => {
  const results = ranked(countDocuments(call, '/v1/rerank'))
  return { body: { model: call.body['model'], object: 'list', usage: { total_tokens: INPUT }, results } }
}

/** https://docs.cohere.com/reference/rerank: texts only, and no tokens in the answer. */
export const cohereRerank: VendorScript = (call) => {
  const results = ranked(countDocuments(call, '/v2/rerank'))
  requireWithout(call, ['return_documents', 'max_chunks_per_doc'])
  const meta = { api_version: { version: '2' }, billed_units: { search_units: 1 } }
  return { body: { id: 'r1', results, meta } }
}

/** https://help.aliyun.com/en/model-studio/text-rerank-api */
export const aliRerank: VendorScript = (call) => {
  const results = ranked(countDocuments(call, '/compatible-api/v1/reranks'))
  return { body: { id: 'r1', object: 'list', model: call.body['model'], usage: { total_tokens: INPUT }, results } }
}
