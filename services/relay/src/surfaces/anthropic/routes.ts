import type { RelayDeps } from '../../deps.ts'
import { run } from '../../pipeline/run.ts'
import { operations } from '../operations.ts'
import { binder, type RelayHono } from '../visiting.ts'
import { anthropicSurface } from './surface.ts'

/** The Anthropic routes; their list of models is under OpenAI's path and told apart by the headers. */
export function bindAnthropic(app: RelayHono, deps: RelayDeps): void {
  const on = binder(app, deps, () => anthropicSurface)
  on('POST', '/v1/messages', (visit) => run(visit, { operation: operations.messages, route: {} }, deps))
  on('POST', '/v1/messages/count_tokens', (visit) => run(visit, { operation: operations.messageTokenCount, route: {} }, deps))
}
