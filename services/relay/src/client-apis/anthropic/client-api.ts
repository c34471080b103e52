import { anthropicMessages } from '@tollgate/providers/formats/anthropic-messages/index'
import { anthropicLimitHeaders } from '../limit-headers.ts'
import { readHeader, readOpenAiCredential } from '../credentials.ts'
import { queryOf, type ClientApi } from '../client-api.ts'

const FORWARDED = ['anthropic-version', 'anthropic-beta'] as const

/** The Anthropic routes: https://docs.anthropic.com/en/api/overview */
export const anthropicApi: ClientApi = {
  name: 'anthropic',
  readCredential: ({ headers }) => readHeader(headers, 'x-api-key').trim() || readOpenAiCredential(headers),
  forwardQuery: queryOf,
  forwardHeaders: (headers) =>
    Object.fromEntries(FORWARDED.map((name) => [name, readHeader(headers, name)] as const).filter(([, value]) => value !== '')),
  renderError: (error) => anthropicMessages.client.renderError(error),
  renderStreamError: (error) => anthropicMessages.client.renderStreamError(error),
  renderLimits: anthropicLimitHeaders,
  streamType: 'text/event-stream',
  ping: anthropicMessages.client.ping,
}
