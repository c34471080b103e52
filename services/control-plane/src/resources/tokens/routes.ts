import { tokens } from '@tollgate/contracts/resources/tokens'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import {
  countOwnTokens,
  createOwnToken,
  getOwnToken,
  listOwnTokens,
  removeOwnToken,
  searchOwnTokens,
  setOwnTokenStatus,
  updateOwnToken,
} from './service.ts'

export const tokenRoutes = (deps: Deps): Binding[] => [
  handle(tokens.list, ({ actor, query }) => listOwnTokens(deps, actor, query)),
  handle(tokens.search, ({ actor, query }) => searchOwnTokens(deps, actor, query)),
  handle(tokens.count, ({ actor }) => countOwnTokens(deps, actor)),
  handle(tokens.get, ({ actor, params }) => getOwnToken(deps, actor, params.id)),
  handle(tokens.create, ({ actor, body }) => createOwnToken(deps, actor, body)),
  handle(tokens.update, ({ actor, query, body }) =>
    query.status_only === '' ? updateOwnToken(deps, actor, body) : setOwnTokenStatus(deps, actor, body),
  ),
  handle(tokens.remove, ({ actor, params }) => removeOwnToken(deps, actor, params.id)),
]
