import { listTokenGroups } from '@tollgate/domain/access/group'
import { wildcardOf } from '@tollgate/domain/pricing/gizmo'
import type { RelayDeps } from '../deps.ts'
import type { RequestContext } from '../request/context.ts'
import { findCaller, UNRESERVED_MAX_AGE_MS } from '../identity/caller.ts'
import { isUnpricedAllowed, quoteModel } from '../usage/quote-model.ts'

/** Names of the models that a caller can call: those of its groups that have a price and that its token may use. */
export async function listModels(context: RequestContext, deps: RelayDeps): Promise<readonly string[]> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const { config } = deps
  const names = listTokenGroups(record, config.snapshot.groups, config.settings.auto_groups)
  const served = new Set(names.flatMap((name) => config.listModels(name)))
  const asked = [...new Set(record.model_limits ?? [...served].toSorted())]
  const hasPrice = (model: string) => isUnpricedAllowed(record, config) || quoteModel(model, { record, group: '' }, config) !== 'unpriced'
  return asked.filter((model) => (served.has(model) || served.has(wildcardOf(model) ?? model)) && hasPrice(model))
}

export function answerJson({ reply }: RequestContext, body: object): void {
  reply.answer(200, { 'Content-Type': 'application/json; charset=utf-8' }, JSON.stringify(body))
}
