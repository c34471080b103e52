import { userAccess } from '@tollgate/contracts/resources/user-access'
import { users } from '@tollgate/contracts/resources/users'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { eraseUserByAdmin, manageUser } from './manage.ts'
import { getUser, getUserUsage, listUserPage } from './read.ts'
import { createUserToken, listUserTokens } from './tokens.ts'
import { endViewAs, viewAs } from './view-as.ts'
import { adjustUserQuota, createUserByAdmin, setUserLimits, updateUserByAdmin } from './write.ts'

export const userRoutes = (deps: Deps): Binding[] => [
  handle(users.list, ({ actor, query }) => listUserPage(deps, actor, { ...query, keyword: '', group: '' })),
  handle(users.search, ({ actor, query }) => listUserPage(deps, actor, query)),
  handle(users.get, ({ actor, params }) => getUser(deps, actor, params.id)),
  handle(users.usage, ({ actor, params }) => getUserUsage(deps, actor, params.id)),
  handle(users.tokens, ({ actor, params, query }) => listUserTokens(deps, actor, { ...query, id: params.id })),
  handle(userAccess.view, ({ c, actor, ip, params }) => viewAs(deps, { c, actor, ip }, params.id)),
  handle(userAccess.endView, ({ c, actor, ip }) => endViewAs(deps, { c, actor, ip })),
  handle(userAccess.createToken, ({ actor, params, body, ip }) => createUserToken(deps, { actor, ip }, params.id, body)),
  handle(users.create, ({ actor, body, ip }) => createUserByAdmin(deps, { actor, ip }, body)),
  handle(users.update, ({ actor, body, ip }) => updateUserByAdmin(deps, { actor, ip }, body)),
  handle(users.manage, ({ actor, body, ip }) => manageUser(deps, { actor, ip }, body)),
  handle(users.setLimits, ({ actor, body, ip }) => setUserLimits(deps, { actor, ip }, body)),
  handle(users.adjustQuota, ({ actor, body, ip }) => adjustUserQuota(deps, { actor, ip }, body)),
  handle(users.remove, ({ actor, params, ip }) => eraseUserByAdmin(deps, { actor, ip }, params.id)),
]
