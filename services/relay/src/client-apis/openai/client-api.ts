import type { IncomingMessage } from 'node:http'
import { isObject } from '@tollgate/providers/json'
import { renderOpenAiError, renderOpenAiStreamError, type OpenAiError } from '@tollgate/providers/chat/formats/openai-chat/errors'
import { openAiResponses } from '@tollgate/providers/chat/formats/openai-responses/index'
import { encodeSse } from '@tollgate/providers/sse/encoder'
import type { ClientError } from '../../request/client-error.ts'
import { readHeader } from '../../identity/credentials.ts'
import { OPENAI_LIMIT_HEADERS, openAiLimitHeaders } from '../limit-headers.ts'
import type { ClientApi } from '../../request/client-api.ts'
import { exposed } from '../exposed-headers.ts'
import { forwardedQuery } from '../../transport/query.ts'

/** Clients of Azure name the version of its API. */
const QUERY = new Set(['api-version'])
/** https://platform.openai.com/docs/guides/realtime-transcription */
const REALTIME_QUERY = new Set([...QUERY, 'intent'])

/** The OpenAI routes under `/v1`. */
export const openAiApi: ClientApi = {
  name: 'openai',
  refusals: 'chat',
  forwardQuery: (url) => forwardedQuery(url, QUERY),
  forwardHeaders: () => ({}),
  renderError: (error) => JSON.stringify(renderOpenAiError(toOpenAi(error))),
  renderStreamError: (error) => renderOpenAiStreamError(toOpenAi(error)),
  renderLimits: openAiLimitHeaders,
  idHeader: 'x-request-id',
  exposedHeaders: exposed('x-request-id', ...OPENAI_LIMIT_HEADERS),
  streamType: 'text/event-stream',
  ping: ': PING\n\n',
}

/** `/v1/responses`: the same, but errors inside a stream are events of that format. */
const responsesApi: ClientApi = {
  ...openAiApi,
  refusals: 'responses',
  renderStreamError: (error) => openAiResponses.client.renderStreamError(error),
}

/**
 * The same for Codex, which gives up on a stream after a time without events, whatever comments it has (Codex 0.171.0). Other clients get
 * comments before `response.created`: OpenAI's SDKs raise an error at any other event before it (openai for Node 7.57, for Python 3.57).
 */
const codexApi: ClientApi = {
  ...responsesApi,
  // The answer that follows numbers its events from 0.
  ping: encodeSse({ event: 'keepalive', data: '{"type":"keepalive","sequence_number":0}' }),
}

/** Codex names its variant (`codex_cli_rs`, `codex_exec`) in each request: https://github.com/openai/codex */
const CODEX = /^codex_/

/** Chooses by the program that the client says it is. */
export function responsesApiOf({ headers }: Pick<IncomingMessage, 'headers'>): ClientApi {
  return CODEX.test(readHeader(headers, 'originator')) ? codexApi : responsesApi
}

/** `/v1/realtime`: the `model` parameter is not forwarded. */
export const realtimeApi: ClientApi = {
  ...openAiApi,
  forwardQuery: (url) => forwardedQuery(url, REALTIME_QUERY),
  forwardHeaders: (headers) => {
    const beta = readHeader(headers, 'openai-beta')
    return beta === '' ? {} : { 'openai-beta': beta }
  },
}

function toOpenAi({ message, type, param, code, upstream_body }: ClientError): OpenAiError {
  const own = { message, type, param, code }
  return isObject(upstream_body) ? { ...upstream_body, ...own, code: upstreamCode(upstream_body) ?? code } : own
}

function upstreamCode(body: object): string | number | undefined {
  const code: unknown = 'code' in body ? body.code : undefined
  return typeof code === 'string' || typeof code === 'number' ? code : undefined
}
