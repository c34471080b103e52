import { self } from '@tollgate/contracts/resources/self'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { createAccessToken, getSelf, listOwnModels, updateSelf } from './service.ts'
import { usableGroups } from './usable-groups.ts'

export const selfRoutes = (deps: Deps): Binding[] => [
  handle(self.get, ({ actor }) => getSelf(deps, actor)),
  handle(self.update, ({ actor, body, c, ip }) => updateSelf(deps, { actor, body, c, ip })),
  handle(self.groups, ({ actor }) => usableGroups(deps, actor.group)),
  handle(self.models, ({ actor }) => listOwnModels(deps, actor)),
  handle(self.createAccessToken, ({ actor, ip }) => createAccessToken(deps, { actor, ip })),
]
