import type { IncomingMessage } from 'node:http'
import { geminiInteractions } from '@tollgate/providers/chat/formats/gemini-interactions/index'
import { gemini } from '@tollgate/providers/chat/formats/gemini/index'
import type { ClientError } from '../../request/client-error.ts'
import { OPENAI_LIMIT_HEADERS, openAiLimitHeaders } from '../limit-headers.ts'
import type { ClientApi } from '../../request/client-api.ts'
import { exposed } from '../exposed-headers.ts'
import { forwardedQuery, queryOf } from '../../transport/query.ts'

/** https://cloud.google.com/apis/docs/system-parameters */
const QUERY = new Set(['prettyPrint', '$prettyPrint', 'quotaUser'])

const common = {
  name: 'gemini',
  refusals: 'gemini',
  forwardQuery: (url: string) => forwardedQuery(url, QUERY),
  forwardHeaders: () => ({}),
  renderError: (error: ClientError) => gemini.client.renderError(error),
  // Google's API defines no limit headers.
  renderLimits: openAiLimitHeaders,
  idHeader: 'x-request-id',
  exposedHeaders: exposed('x-request-id', ...OPENAI_LIMIT_HEADERS),
} as const satisfies Partial<ClientApi>

/** Google's routes under `/v1beta`: https://ai.google.dev/api */
export const geminiApi: ClientApi = {
  ...common,
  renderStreamError: (error, isFirst) => gemini.client.renderStreamError(error, { frame: 'sse', isFirst }),
  streamType: 'text/event-stream',
  ping: gemini.client.ping,
}

/** The same for a client that streams one JSON array; its pings are white space between elements. */
export const geminiArrayApi: ClientApi = {
  ...common,
  renderStreamError: (error, isFirst) => gemini.client.renderStreamError(error, { frame: 'array', isFirst }),
  streamType: 'application/json',
  ping: gemini.client.arrayPing ?? '\n',
}

/** Chooses by the framing that the client asked for. */
export function geminiApiOf({ url = '' }: Pick<IncomingMessage, 'url'>): ClientApi {
  const isArray = url.includes(':streamGenerateContent') && parametersOf(url).get('alt') !== 'sse'
  return isArray ? geminiArrayApi : geminiApi
}

function parametersOf(url: string | undefined): URLSearchParams {
  return new URLSearchParams(queryOf(url ?? ''))
}

/** `/v1beta/interactions`: the same, but errors inside a stream are events of that API. */
export const interactionsApi: ClientApi = {
  ...geminiApi,
  renderStreamError: (error) => geminiInteractions.client.renderStreamError(error),
}
