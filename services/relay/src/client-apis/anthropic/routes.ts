import type { RelayDeps } from '../../deps.ts'
import type { RouteFacts } from '@tollgate/providers/chat/model-request'
import { readHeader } from '../../identity/credentials.ts'
import type { RequestContext } from '../../request/context.ts'
import { run } from '../../pipeline/run.ts'
import { operations } from '../../operations.ts'
import { binder, type RelayHono } from '../bind-routes.ts'
import { anthropicApi } from './client-api.ts'

/** The Anthropic routes, except the list of models, which shares OpenAI's path and is chosen by the headers. */
export function bindAnthropic(app: RelayHono, deps: RelayDeps): void {
  const on = binder(app, deps, () => anthropicApi)
  on('POST', '/v1/messages', (context) => run(context, { operation: operations.messages, route: routeOf(context) }, deps))
  on('POST', '/v1/messages/count_tokens', (context) =>
    run(context, { operation: operations.messageTokenCount, route: routeOf(context) }, deps),
  )
  // Claude Code looks whether the address answers.
  on('GET', '/api/hello', ({ reply }) => reply.answer(200, { 'Content-Type': 'application/json; charset=utf-8' }, '{"message":"hello"}'))
}

/** The version decides what a body may have. */
function routeOf({ incoming }: RequestContext): RouteFacts {
  return { api_version: readHeader(incoming.headers, 'anthropic-version') }
}
