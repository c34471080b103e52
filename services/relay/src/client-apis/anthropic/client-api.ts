import { anthropicMessages } from '@tollgate/providers/chat/formats/anthropic-messages/index'
import { ANTHROPIC_LIMIT_HEADERS, anthropicLimitHeaders } from '../limit-headers.ts'
import { readHeader } from '../../identity/credentials.ts'
import type { ClientApi } from '../../request/client-api.ts'
import { exposed } from '../exposed-headers.ts'
import { forwardedQuery } from '../../transport/query.ts'

/** A workspace is the operator's choice, so its header stays here. */
const FORWARDED = ['anthropic-version', 'anthropic-beta', 'anthropic-user-profile-id'] as const
/** The vendor's SDKs mark calls of beta features with it. */
const QUERY = new Set(['beta'])

/** The Anthropic routes: https://docs.anthropic.com/en/api/overview */
export const anthropicApi: ClientApi = {
  name: 'anthropic',
  refusals: 'messages',
  forwardQuery: (url) => forwardedQuery(url, QUERY),
  forwardHeaders: (headers) =>
    Object.fromEntries(FORWARDED.map((name) => [name, readHeader(headers, name)] as const).filter(([, value]) => value !== '')),
  renderError: (error) => anthropicMessages.client.renderError(error),
  renderStreamError: (error) => anthropicMessages.client.renderStreamError(error),
  renderLimits: anthropicLimitHeaders,
  idHeader: 'request-id',
  exposedHeaders: exposed('request-id', ...ANTHROPIC_LIMIT_HEADERS),
  streamType: 'text/event-stream',
  ping: anthropicMessages.client.ping,
}
