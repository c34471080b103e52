import { isAutoGroup, listAutoGroups, resolveGroup } from '@tollgate/domain/access/group'
import type { RelayDeps } from '../deps.ts'
import type { RequestContext } from '../request/context.ts'
import { findCaller, UNRESERVED_MAX_AGE_MS } from '../identity/caller.ts'

/** Names of the models that a caller may use: the token's own list, otherwise the models of its group. */
export async function listModels(context: RequestContext, deps: RelayDeps): Promise<readonly string[]> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  if (record.model_limits !== null) return record.model_limits
  const { groups } = deps.config.snapshot
  const names = isAutoGroup(record, groups)
    ? listAutoGroups(record, groups, deps.config.settings.auto_groups)
    : [resolveGroup(record, groups).group]
  return [...new Set(names.flatMap((name) => deps.config.listModels(name)))].toSorted()
}

export function answerJson({ reply }: RequestContext, body: object): void {
  reply.answer(200, { 'Content-Type': 'application/json; charset=utf-8' }, JSON.stringify(body))
}
