import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { MEMBER_ROLES } from '../rights.ts'
import { PROVIDERS } from './oauth.ts'
import { Quota, UnixSeconds } from '../units.ts'
import { IdParams, IsManaged, PageQuery, pageOf, QueryInt, queryText, textOf } from '../values/common-schemas.ts'

/** Characters of the name of an organisation or project. */
export const MAX_ORGANISATION_NAME = 40
export const MAX_MEMBERS = 1000
export const MAX_PROJECTS = 200
export const MAX_OPEN_INVITATIONS = 100
/** Organisations that one account may own. */
export const MAX_OWNED = 20
export const INVITATION_SECONDS = 7 * 86_400

const MemberRole = z.enum(MEMBER_ROLES)
const Name = z.string().max(200)

/** An organisation of which the caller is a member. */
export const Membership = z.object({
  /** Also the value of header New-Api-User of calls for it. */
  id: z.int(),
  name: z.string(),
  role: MemberRole,
  group: z.string(),
  /** The provider that the organisation requires and this session was not opened with; empty: none. */
  needs_provider: z.enum(['', ...PROVIDERS]).optional(),
})
export type Membership = z.infer<typeof Membership>

/** An invitation to the e-mail of the caller’s account. */
export const OwnInvitation = z.object({
  id: z.int(),
  organisation: z.string(),
  role: MemberRole,
  invited_by: z.string(),
  expires_at: UnixSeconds,
})
export type OwnInvitation = z.infer<typeof OwnInvitation>

export const Organisation = z.object({
  id: z.int(),
  name: z.string(),
  /** The caller’s role. */
  role: MemberRole,
  created_at: UnixSeconds,
  members: z.int(),
  projects: z.int(),
  quota: Quota,
  used_quota: Quota,
  group: z.string(),
  is_managed: IsManaged,
})
export type Organisation = z.infer<typeof Organisation>

export const Member = z.object({
  user_id: z.int(),
  username: z.string(),
  display_name: z.string(),
  email: z.string(),
  role: MemberRole,
  joined_at: UnixSeconds,
  /** The way by which the membership follows an identity provider: SCIM, or the groups at sign-in; null: a person gave it. */
  source: z.enum(['scim', 'oidc']).nullable(),
  /** The caller. */
  is_self: z.boolean(),
})
export type Member = z.infer<typeof Member>

export const Invitation = z.object({
  id: z.int(),
  /** Empty: the link alone admits. */
  email: z.string(),
  role: MemberRole,
  invited_by: z.string(),
  created_at: UnixSeconds,
  expires_at: UnixSeconds,
})
export type Invitation = z.infer<typeof Invitation>

export const Project = z.object({
  id: z.int(),
  name: z.string(),
  created_at: UnixSeconds,
  /** Tokens that are not deleted. */
  tokens: z.int(),
  /** Spent by all of its tokens. */
  used_quota: Quota,
  is_managed: IsManaged,
})
export type Project = z.infer<typeof Project>

/** An enabled token of the member's own account. */
export const MovableToken = z.object({
  id: z.int(),
  name: z.string(),
  remain_quota: Quota,
  used_quota: Quota,
  unlimited_quota: z.boolean(),
})
export type MovableToken = z.infer<typeof MovableToken>

/** Spending of a project or member. */
export const Spending = z.object({
  /** 0: tokens without a project, or without a maker. */
  id: z.int(),
  name: z.string(),
  quota: Quota,
  requests: z.int(),
  tokens: z.int(),
})
export type Spending = z.infer<typeof Spending>

/** An organisation as administrators of the installation see it; its wallet and group are those of the user with this id. */
export const OrganisationRow = z.object({
  id: z.int(),
  name: z.string(),
  username: z.string(),
  owners: z.array(z.string()),
  members: z.int(),
  quota: Quota,
  used_quota: Quota,
  group: z.string(),
  status: z.int(),
  created_at: UnixSeconds,
  is_managed: IsManaged,
})
export type OrganisationRow = z.infer<typeof OrganisationRow>

/** Calls of people, about organisations that they are in. */
export const organisations = {
  listOwn: endpoint({
    method: 'GET',
    path: '/api/organisations/',
    access: 'user',
    summary: 'Organisations of the caller, invitations to the own e-mail, and whether one may be founded (ours)',
    data: z.object({ items: z.array(Membership), invitations: z.array(OwnInvitation), may_found: z.boolean() }),
  }),
  found: endpoint({
    method: 'POST',
    path: '/api/organisations/',
    access: 'user',
    summary: 'Founds an organisation, whose owner the caller is (ours)',
    body: z.strictObject({ name: Name }),
    data: z.object({ id: z.int() }),
  }),
  convert: endpoint({
    method: 'POST',
    path: '/api/organisations/convert',
    access: 'user',
    needsProof: true,
    limit: 'critical',
    summary:
      'Makes the own account an organisation: its tokens become those of a project, its wallet stays, and the caller gets a new account (ours)',
    body: z.strictObject({ name: Name, project: Name }),
    data: z.object({ id: z.int(), user_id: z.int() }),
  }),
  peek: endpoint({
    method: 'GET',
    path: '/api/organisations/invitation',
    access: 'user',
    summary: 'What an invitation link offers (ours)',
    query: z.object({ code: queryText(100) }),
    data: OwnInvitation,
  }),
  join: endpoint({
    method: 'POST',
    path: '/api/organisations/join',
    access: 'user',
    summary: 'Accepts an invitation: by its link, or by its id when it was sent to the own e-mail (ours)',
    body: z.strictObject({ id: z.int().default(0), code: textOf(100) }),
    data: Membership,
  }),
  decline: endpoint({
    method: 'DELETE',
    path: '/api/organisations/invitation/{id}',
    access: 'user',
    summary: 'Declines an invitation to the own e-mail (ours)',
    params: IdParams,
  }),
  listAll: endpoint({
    method: 'GET',
    path: '/api/organisations/all',
    access: 'admin',
    load: 'heavy',
    summary: 'All organisations, newest first (ours)',
    query: z.object({ ...PageQuery.shape, keyword: queryText(100) }),
    data: pageOf(OrganisationRow),
  }),
}

/** Calls of members for the organisation that header New-Api-User names. */
export const organisation = {
  get: endpoint({
    method: 'GET',
    path: '/api/organisation/',
    access: 'user',
    right: 'organisation.read',
    summary: 'The chosen organisation (ours)',
    data: Organisation,
  }),
  rename: endpoint({
    method: 'PUT',
    path: '/api/organisation/',
    access: 'user',
    right: 'organisation.write',
    summary: 'Renames the organisation (ours)',
    body: z.strictObject({ name: Name }),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/organisation/',
    access: 'user',
    right: 'organisation.own',
    needsProof: true,
    summary: 'Deletes the organisation: its tokens end at once, and what is left in its wallet is lost (ours)',
    body: z.strictObject({ name: Name }),
  }),
  handOver: endpoint({
    method: 'POST',
    path: '/api/organisation/owner',
    access: 'user',
    right: 'organisation.own',
    needsProof: true,
    summary: 'Makes another member the owner; the caller becomes an administrator (ours)',
    body: z.strictObject({ user_id: z.int() }),
  }),
  leave: endpoint({
    method: 'POST',
    path: '/api/organisation/leave',
    access: 'user',
    right: 'membership.end',
    summary: 'Leaves the organisation; the last owner cannot (ours)',
  }),
  members: endpoint({
    method: 'GET',
    path: '/api/organisation/members',
    access: 'user',
    right: 'members.read',
    summary: 'Members of the organisation (ours)',
    data: z.array(Member),
  }),
  setRole: endpoint({
    method: 'PUT',
    path: '/api/organisation/members/{id}',
    access: 'user',
    right: 'members.write',
    summary: 'Gives a member another role (ours)',
    params: IdParams,
    body: z.strictObject({ role: MemberRole }),
  }),
  removeMember: endpoint({
    method: 'DELETE',
    path: '/api/organisation/members/{id}',
    access: 'user',
    right: 'members.write',
    summary: 'Ends a membership; the member’s tokens are disabled, or stay (ours)',
    params: IdParams,
    query: z.object({ tokens: z.enum(['disable', 'keep']).default('disable') }),
  }),
  invitations: endpoint({
    method: 'GET',
    path: '/api/organisation/invitations',
    access: 'user',
    right: 'members.write',
    summary: 'Invitations that are open (ours)',
    data: z.array(Invitation),
  }),
  invite: endpoint({
    method: 'POST',
    path: '/api/organisation/invitations',
    access: 'user',
    right: 'members.write',
    summary: 'Invites to the organisation, by mail if an address is given; data has the code of the link, once (ours)',
    body: z.strictObject({ email: textOf(254), role: MemberRole }),
    data: z.object({ id: z.int(), code: z.string() }),
  }),
  withdraw: endpoint({
    method: 'DELETE',
    path: '/api/organisation/invitations/{id}',
    access: 'user',
    right: 'members.write',
    summary: 'Withdraws an invitation (ours)',
    params: IdParams,
  }),
  projects: endpoint({
    method: 'GET',
    path: '/api/organisation/projects',
    access: 'user',
    right: 'projects.read',
    summary: 'Projects of the organisation (ours)',
    data: z.array(Project),
  }),
  createProject: endpoint({
    method: 'POST',
    path: '/api/organisation/projects',
    access: 'user',
    right: 'projects.write',
    summary: 'Adds a project (ours)',
    body: z.strictObject({ name: Name }),
    data: z.object({ id: z.int() }),
  }),
  renameProject: endpoint({
    method: 'PUT',
    path: '/api/organisation/projects/{id}',
    access: 'user',
    right: 'projects.write',
    summary: 'Renames a project (ours)',
    params: IdParams,
    body: z.strictObject({ name: Name }),
  }),
  removeProject: endpoint({
    method: 'DELETE',
    path: '/api/organisation/projects/{id}',
    access: 'user',
    right: 'projects.write',
    summary: 'Removes a project that has no tokens (ours)',
    params: IdParams,
  }),
  movableTokens: endpoint({
    method: 'GET',
    path: '/api/organisation/movable_tokens',
    access: 'user',
    right: 'tokens.write',
    summary: 'The newest 100 tokens of the member’s own account, which can be moved here (ours)',
    data: z.array(MovableToken),
  }),
  moveTokens: endpoint({
    method: 'POST',
    path: '/api/organisation/projects/{id}/tokens',
    access: 'user',
    right: 'tokens.write',
    summary: 'Moves tokens of the member’s own account into a project; their keys stay (ours)',
    params: IdParams,
    body: z.object({ ids: z.array(z.int().min(1)).min(1).max(100) }),
    data: z.object({ moved: z.int() }),
  }),
  spending: endpoint({
    method: 'GET',
    path: '/api/organisation/spending',
    access: 'user',
    right: 'usage.read',
    load: 'heavy',
    summary: 'What projects or members have spent in a time of at most a year, by hours (ours)',
    query: z.object({ by: z.enum(['project', 'member']).default('project'), start_timestamp: QueryInt, end_timestamp: QueryInt }),
    data: z.array(Spending),
  }),
}
