/** Roles of members of an organisation, the mightiest first. Stored in a column. */
export const MEMBER_ROLES = ['owner', 'admin', 'billing', 'developer', 'viewer'] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]

/** Right of an organisation's members: a resource and an action. Each endpoint that serves organisations names one. */
export const RIGHTS = [
  'account.read',
  'usage.read',
  'tokens.read',
  'tokens.write',
  'budgets.read',
  'budgets.write',
  'wallet.read',
  'wallet.write',
  'playground.use',
  'members.read',
  'members.write',
  'projects.read',
  'projects.write',
  'organisation.read',
  'organisation.write',
  /** To hand the organisation over, and to delete it. */
  'organisation.own',
  'membership.end',
  'identity.read',
  /** How people become members and sign in. */
  'identity.write',
  /** The provider with which members must sign in. */
  'sign-in.write',
  'audit.read',
] as const
export type Right = (typeof RIGHTS)[number]
