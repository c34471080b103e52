import type { RelayDeps } from '../../deps.ts'
import { run } from '../../pipeline/run.ts'
import { operations } from '../../operations.ts'
import { binder, type RelayHono } from '../bind-routes.ts'
import { anthropicApi } from './client-api.ts'

/** The Anthropic routes, except the list of models, which shares OpenAI's path and is chosen by the headers. */
export function bindAnthropic(app: RelayHono, deps: RelayDeps): void {
  const on = binder(app, deps, () => anthropicApi)
  on('POST', '/v1/messages', (context) => run(context, { operation: operations.messages, route: {} }, deps))
  on('POST', '/v1/messages/count_tokens', (context) => run(context, { operation: operations.messageTokenCount, route: {} }, deps))
  // Claude Code looks whether the address answers.
  on('GET', '/api/hello', ({ reply }) => reply.answer(200, { 'Content-Type': 'application/json; charset=utf-8' }, '{"message":"hello"}'))
}
