import { isObject } from '@tollgate/providers/json'
import { renderOpenAiError, renderOpenAiStreamError, type OpenAiError } from '@tollgate/providers/dialects/openai-chat/errors'
import { openAiResponses } from '@tollgate/providers/dialects/openai-responses/index'
import type { ClientError } from '../../client-error.ts'
import { readOpenAiCredential } from '../credentials.ts'
import { openAiLimitHeaders } from '../limit-headers.ts'
import { queryOf, type Surface } from '../surface.ts'

/** The OpenAI routes under `/v1`. */
export const openAiSurface: Surface = {
  name: 'openai',
  readCredential: ({ headers }) => readOpenAiCredential(headers),
  forwardQuery: queryOf,
  forwardHeaders: () => ({}),
  renderError: (error) => JSON.stringify(renderOpenAiError(toOpenAi(error))),
  renderStreamError: (error) => renderOpenAiStreamError(toOpenAi(error)),
  renderLimits: openAiLimitHeaders,
  streamType: 'text/event-stream',
  ping: ': PING\n\n',
}

/** `/v1/responses`: the same, with errors inside a stream as that format's events. */
export const responsesSurface: Surface = {
  ...openAiSurface,
  renderStreamError: (error) => openAiResponses.client.renderStreamError(error),
}

function toOpenAi({ message, type, param, code, upstream_body }: ClientError): OpenAiError {
  const own = { message, type, param, code }
  return isObject(upstream_body) ? { ...upstream_body, ...own, code: upstreamCode(upstream_body) ?? code } : own
}

function upstreamCode(body: object): string | number | undefined {
  const code: unknown = 'code' in body ? body.code : undefined
  return typeof code === 'string' || typeof code === 'number' ? code : undefined
}
