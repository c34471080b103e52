import { forClients } from '../calls/client-form.ts'
import { isObject, listAt, objectAt, textAt, type JsonObject } from '../json.ts'
import { rerank } from './rerank.ts'

/** Fields that change the ranking in a way that other vendors cannot. */
const REFUSED = ['rank_fields', 'rewrite_query'] as const
const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== false

/** POST /v1/reranking of Mixedbread's clients, compared with @mixedbread/sdk 0.78.0 (2026-11-28). */
export const mixedbreadRerank = forClients(rerank, {
  obstacle: (body) => {
    const refused = REFUSED.find((name) => isGiven(body[name]))
    return refused === undefined ? undefined : `field ${refused} is not offered by this gateway`
  },
  toOwn: ({ model, query, input, top_k, return_input }) => ({
    body: {
      ...(model === undefined ? {} : { model }),
      query,
      documents: input,
      ...(isGiven(top_k) ? { top_n: top_k } : {}),
      ...(return_input === undefined || return_input === null ? {} : { return_documents: return_input }),
    },
    warnings: [],
  }),
  answerSettings: ({ input, top_k, return_input }) => ({ top_k, return_input, ...(return_input === true ? { input } : {}) }),
  write: (answer, { request: { model, body } }, usage) => {
    const results = listAt(answer, 'results').filter(isObject)
    const tokens = usage?.prompt_tokens ?? 0
    const isReturned = body['return_input'] === true
    const data = results.map((result) => ({
      index: result['index'],
      score: result['relevance_score'],
      ...(isReturned ? { input: documentOf(result) ?? listAt(body, 'input')[Number(result['index'])] } : {}),
      object: 'rank_result',
    }))
    return {
      object: 'list',
      model,
      data,
      top_k: typeof body['top_k'] === 'number' ? body['top_k'] : results.length,
      return_input: isReturned,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    }
  },
})

const documentOf = (result: JsonObject): string | undefined => textAt(objectAt(result, 'document'), 'text') ?? textAt(result, 'document')
