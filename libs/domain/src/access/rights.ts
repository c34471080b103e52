import { RIGHTS, type MemberRole, type Right } from '@tollgate/contracts/rights'

const READS = [
  'account.read',
  'usage.read',
  'tokens.read',
  'budgets.read',
  'members.read',
  'projects.read',
  'organisation.read',
  'membership.end',
] as const satisfies readonly Right[]

const OF_OWNERS: readonly Right[] = ['organisation.own', 'identity.write', 'sign-in.write']

const RIGHTS_OF: Readonly<Record<MemberRole, readonly Right[]>> = {
  owner: RIGHTS,
  admin: RIGHTS.filter((right) => !OF_OWNERS.includes(right)),
  billing: [...READS, 'budgets.write', 'wallet.read', 'wallet.write', 'audit.read'],
  developer: [...READS, 'tokens.write', 'playground.use'],
  viewer: READS,
}

/** True if a member of this role may do it. */
export function hasRight(role: MemberRole, right: Right): boolean {
  return RIGHTS_OF[role].includes(right)
}

/** Rights of an owner without the sign-in that the organisation requires: read its settings and change that rule. */
const EMERGENCY: readonly Right[] = ['account.read', 'organisation.read', 'identity.read', 'sign-in.write']

/** True if a member may do it with a session that the organisation does not accept. */
export function isEmergency(role: MemberRole, right: Right): boolean {
  return role === 'owner' && EMERGENCY.includes(right)
}

/** True if a member may give, change or end another's role: an owner any role, others only roles below owner. */
export function mayGive(actor: MemberRole, role: MemberRole): boolean {
  return hasRight(actor, 'members.write') && (actor === 'owner' || role !== 'owner')
}

/** True if a member may change tokens that other members made. */
export function managesAllTokens(role: MemberRole): boolean {
  return hasRight(role, 'tokens.write') && hasRight(role, 'members.write')
}
