import { organisation, organisations } from '@tollgate/contracts/resources/organisations'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { removeChosen, renameChosen } from './change.ts'
import { requireMember } from './chosen.ts'
import { convertAccount } from './convert.ts'
import { foundOrganisation } from './found.ts'
import { decline, invite, join, listOpenInvitations, peek, withdraw } from './invitations.ts'
import { endMembership, giveRole, handOver, listOrganisationMembers } from './members.ts'
import { listMovableTokens, moveOwnTokens } from './move-tokens.ts'
import { addProject, changeProject, endProject, listOrganisationProjects } from './projects.ts'
import { getOrganisation, listAllOrganisations, listOwnOrganisations, listSpending } from './read.ts'

export const organisationRoutes = (deps: Deps): Binding[] => [
  handle(organisations.listOwn, ({ actor }) => listOwnOrganisations(deps, actor)),
  handle(organisations.found, ({ actor, ip, body }) => foundOrganisation(deps, { actor, ip }, body.name)),
  handle(organisations.convert, ({ actor, ip, c, body }) => convertAccount(deps, { actor, ip, c }, body)),
  handle(organisations.peek, ({ query }) => peek(deps, query.code)),
  handle(organisations.join, ({ actor, ip, body }) => join(deps, { actor, ip }, body)),
  handle(organisations.decline, ({ actor, params }) => decline(deps, actor, params.id)),
  handle(organisations.listAll, ({ query }) => listAllOrganisations(deps, query)),
  handle(organisation.get, ({ actor }) => getOrganisation(deps, actor)),
  handle(organisation.rename, ({ actor, ip, body }) => renameChosen(deps, { actor, ip }, body.name)),
  handle(organisation.remove, ({ actor, ip, body }) => removeChosen(deps, { actor, ip }, body.name)),
  handle(organisation.handOver, ({ actor, ip, body }) => handOver(deps, { actor, ip }, body.user_id)),
  handle(organisation.leave, ({ actor, ip }) =>
    endMembership(deps, { actor, ip }, { user_id: requireMember(actor).id, tokens: 'disable' }),
  ),
  handle(organisation.members, ({ actor, ip }) => listOrganisationMembers(deps, { actor, ip })),
  handle(organisation.setRole, ({ actor, ip, params, body }) => giveRole(deps, { actor, ip }, params.id, body.role)),
  handle(organisation.removeMember, ({ actor, ip, params, query }) =>
    endMembership(deps, { actor, ip }, { user_id: params.id, tokens: query.tokens }),
  ),
  handle(organisation.invitations, ({ actor, ip }) => listOpenInvitations(deps, { actor, ip })),
  handle(organisation.invite, ({ actor, ip, c, body }) => invite(deps, { actor, ip, c }, body)),
  handle(organisation.withdraw, ({ actor, ip, params }) => withdraw(deps, { actor, ip }, params.id)),
  handle(organisation.projects, ({ actor, ip }) => listOrganisationProjects(deps, { actor, ip })),
  handle(organisation.createProject, ({ actor, ip, body }) => addProject(deps, { actor, ip }, body.name)),
  handle(organisation.renameProject, ({ actor, ip, params, body }) => changeProject(deps, { actor, ip }, params.id, body.name)),
  handle(organisation.removeProject, ({ actor, ip, params }) => endProject(deps, { actor, ip }, params.id)),
  handle(organisation.movableTokens, ({ actor, ip }) => listMovableTokens(deps, { actor, ip })),
  handle(organisation.moveTokens, ({ actor, ip, params, body }) => moveOwnTokens(deps, { actor, ip }, params.id, body.ids)),
  handle(organisation.spending, ({ actor, query }) => listSpending(deps, actor, query)),
]
