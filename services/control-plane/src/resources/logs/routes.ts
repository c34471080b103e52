import { logs } from '@tollgate/contracts/resources/logs'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { keyHashOf } from '../../sessions/authenticate.ts'
import { explainLog } from './explain.ts'
import { clear, countBefore, listClearings } from './clearings.ts'
import { getRefusals, getStat, listOfToken, listPage, removeBefore, search } from './service.ts'

export const logRoutes = (deps: Deps): Binding[] => [
  handle(logs.list, ({ query }) => listPage(deps, query, undefined)),
  handle(logs.listOwn, ({ query, actor }) => listPage(deps, query, actor.id)),
  handle(logs.stat, ({ query }) => getStat(deps, query, undefined)),
  handle(logs.statOwn, ({ query, actor }) => getStat(deps, query, actor.id)),
  handle(logs.refusals, ({ query }) => getRefusals(deps, query, undefined)),
  handle(logs.refusalsOwn, ({ query, actor }) => getRefusals(deps, query, actor.id)),
  handle(logs.search, ({ query }) => search(deps, query.keyword, undefined)),
  handle(logs.searchOwn, ({ query, actor }) => search(deps, query.keyword, actor.id)),
  handle(logs.explain, ({ params, query }) => explainLog(deps, { id: params.id, created_at: query.created_at }, undefined)),
  handle(logs.explainOwn, ({ params, query, actor }) => explainLog(deps, { id: params.id, created_at: query.created_at }, actor.id)),
  handle(logs.countBefore, ({ query }) => countBefore(deps, query.target_timestamp)),
  handle(logs.clear, ({ body, actor, ip }) => clear(deps, body.target_timestamp, { actor, ip })),
  handle(logs.clearings, () => listClearings(deps)),
  handle(logs.listOfToken, ({ query, c }) => listOfToken(deps, query, keyHashOf(c))),
  handle(logs.remove, ({ query, actor, ip }) => removeBefore(deps, query.target_timestamp, { actor, ip })),
]
