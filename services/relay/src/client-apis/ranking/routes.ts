import type { RelayDeps } from '../../deps.ts'
import { operations } from '../../operations.ts'
import { run } from '../../pipeline/run.ts'
import type { ClientApi } from '../../request/client-api.ts'
import { answerPreflight, binder, refuseUnserved, type RelayHono } from '../bind-routes.ts'
import { openAiApi } from '../openai/client-api.ts'

/** Clients of Cohere and Mixedbread read the text of an error from its top level (cohere-ai 8.1.0, @mixedbread/sdk 0.78.0). */
export const flatApi: ClientApi = {
  ...openAiApi,
  renderError: ({ message, type, code }) => JSON.stringify({ message, type, code }),
}

/** Embeddings and rerank in the forms of Cohere’s and Mixedbread’s clients. */
const SERVED = [
  ['/v1/embed', operations.cohereEmbedV1],
  ['/v2/embed', operations.cohereEmbedV2],
  ['/v2/rerank', operations.cohereRerank],
  ['/v1/reranking', operations.mixedbreadRerank],
] as const

export function bindRanking(app: RelayHono, deps: RelayDeps): void {
  const on = binder(app, deps, () => flatApi)
  for (const [path, operation] of SERVED) on('POST', path, (context) => run(context, { operation, route: {} }, deps))
  on('OPTIONS', '/v2/*', answerPreflight)
  for (const path of ['/v1/chat', '/v1/classify', '/v1/detokenize', '/v1/embed-jobs', '/v1/tokenize']) on('POST', path, refuseUnserved)
}
