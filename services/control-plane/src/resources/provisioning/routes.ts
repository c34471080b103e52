import { organisationAccess } from '@tollgate/contracts/resources/organisation-access'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import {
  endToken,
  getAccess,
  getTrust,
  giveRoleByGroup,
  listPeople,
  listScimGroupsOf,
  listTokens,
  makeToken,
  rotateToken,
  setClaimsAsRoot,
  setOwnClaims,
  setProvider,
  setProvisionedRole,
  setTrust,
} from './manage.ts'

export const scimRoutes = (deps: Deps): Binding[] => [
  handle(organisationAccess.get, ({ actor }) => getAccess(deps, actor)),
  handle(organisationAccess.setProvisionedRole, ({ actor, ip, body }) => setProvisionedRole(deps, { actor, ip }, body.role)),
  handle(organisationAccess.tokens, ({ actor }) => listTokens(deps, actor)),
  handle(organisationAccess.createToken, ({ actor, ip, body }) => makeToken(deps, { actor, ip }, body)),
  handle(organisationAccess.rotateToken, ({ actor, ip, params }) => rotateToken(deps, { actor, ip }, params.id)),
  handle(organisationAccess.removeToken, ({ actor, ip, params }) => endToken(deps, { actor, ip }, params.id)),
  handle(organisationAccess.groups, ({ actor }) => listScimGroupsOf(deps, actor)),
  handle(organisationAccess.setGroupRole, ({ actor, ip, body }) => giveRoleByGroup(deps, { actor, ip }, body)),
  handle(organisationAccess.people, ({ actor }) => listPeople(deps, actor)),
  handle(organisationAccess.trust, ({ params }) => getTrust(deps, params.id)),
  handle(organisationAccess.setTrust, ({ actor, ip, params, body }) => setTrust(deps, { actor, ip }, params.id, body)),
  handle(organisationAccess.setClaims, ({ actor, ip, body }) => setOwnClaims(deps, { actor, ip }, body.claims)),
  handle(organisationAccess.setClaimsAsRoot, ({ actor, ip, params, body }) => setClaimsAsRoot(deps, { actor, ip }, params.id, body.claims)),
  handle(organisationAccess.setProvider, ({ actor, ip, body }) => setProvider(deps, { actor, ip }, body.provider)),
]
