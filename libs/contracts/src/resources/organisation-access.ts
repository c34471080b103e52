import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { MEMBER_ROLES } from '../rights.ts'
import { PROVIDERS } from './oauth.ts'
import { UnixSeconds } from '../units.ts'
import { IdParams, textOf } from '../values/common-schemas.ts'

export const MAX_SCIM_TOKENS = 10
export const MAX_DOMAINS = 50
export const MAX_CLAIMS = 100
const MAX_TOKEN_NAME = 40
const MAX_TOKEN_DAYS = 3650

const MemberRole = z.enum(MEMBER_ROLES)

/** A value of a claim at sign-in with OIDC, and the role that it gives. */
export const MappedClaim = z.strictObject({
  /** Name of the claim; parts of objects by dots: `realm_access.roles`. */
  claim: z.string().trim().min(1).max(100),
  value: z.string().trim().min(1).max(500),
  role: MemberRole,
})
export type MappedClaim = z.infer<typeof MappedClaim>
const Claims = z.array(MappedClaim).max(MAX_CLAIMS)

const SignInProvider = z.enum(['', ...PROVIDERS])

/** How people become members of the organisation by an identity provider. */
export const OrganisationAccess = z.object({
  /** The address that the identity provider calls. */
  scim_url: z.string(),
  /** Domains that are the organisation's, as root says: people with such an address are members without an invitation. */
  domains: z.array(z.string()),
  /** The role of provisioned people without a group that gives one. */
  provisioned_role: MemberRole,
  /** Root lets the organisation map claims of the sign-in provider. */
  maps_claims: z.boolean(),
  claims: Claims,
  /** The provider with which members must sign in to act for the organisation; empty: any way. */
  sign_in_provider: SignInProvider,
  /** Providers that are on. */
  providers: z.array(z.enum(PROVIDERS)),
  /** The way in which this session was opened; empty: unknown. */
  signed_in_by: z.string(),
})
export type OrganisationAccess = z.infer<typeof OrganisationAccess>

export const ScimToken = z.object({
  id: z.int(),
  name: z.string(),
  created_by: z.string(),
  created_at: UnixSeconds,
  /** 0: never. */
  expires_at: UnixSeconds,
  /** 0: never, or not since it was rotated; written at most once a minute. */
  used_at: UnixSeconds,
})
export type ScimToken = z.infer<typeof ScimToken>

/** The secret of a token, which is not shown again. */
const MadeToken = z.object({ id: z.int(), token: z.string() })

export const ScimGroup = z.object({
  id: z.string(),
  name: z.string(),
  /** The role that it gives; null: none. */
  role: MemberRole.nullable(),
  members: z.int(),
})
export type ScimGroup = z.infer<typeof ScimGroup>

/** `waiting`: the person has no account with the address, or has not accepted the invitation. */
export const SCIM_STATES = ['member', 'waiting', 'inactive'] as const
export const ScimPerson = z.object({
  id: z.string(),
  user_name: z.string(),
  email: z.string(),
  state: z.enum(SCIM_STATES),
  /** Name of the account; empty: none. */
  username: z.string(),
})
export type ScimPerson = z.infer<typeof ScimPerson>

const trust = {
  domains: z.array(z.string().max(253)).max(MAX_DOMAINS),
  /** The organisation may give roles by claims of the sign-in provider. */
  maps_claims: z.boolean().default(false),
}
const Trust = z.object({ ...trust, claims: Claims })

/** Calls of members for the organisation that header New-Api-User names, and of root. */
export const organisationAccess = {
  get: endpoint({
    method: 'GET',
    path: '/api/organisation/access',
    access: 'user',
    right: 'identity.read',
    summary: 'How people become members by an identity provider (ours)',
    data: OrganisationAccess,
  }),
  setProvisionedRole: endpoint({
    method: 'PUT',
    path: '/api/organisation/scim/role',
    access: 'user',
    right: 'identity.write',
    summary: 'Sets the role of provisioned people whose groups give none (ours)',
    body: z.strictObject({ role: MemberRole }),
  }),
  tokens: endpoint({
    method: 'GET',
    path: '/api/organisation/scim/tokens',
    access: 'user',
    right: 'identity.read',
    summary: 'SCIM tokens of the organisation, without secrets (ours)',
    data: z.array(ScimToken),
  }),
  createToken: endpoint({
    method: 'POST',
    path: '/api/organisation/scim/tokens',
    access: 'user',
    right: 'identity.write',
    needsProof: true,
    summary: 'Makes a SCIM token; data has the secret, once (ours)',
    /** `days`: 0 for a token that does not expire. */
    body: z.strictObject({ name: z.string().trim().min(1).max(MAX_TOKEN_NAME), days: z.int().min(0).max(MAX_TOKEN_DAYS).default(0) }),
    data: MadeToken,
  }),
  rotateToken: endpoint({
    method: 'POST',
    path: '/api/organisation/scim/tokens/{id}/rotate',
    access: 'user',
    right: 'identity.write',
    needsProof: true,
    summary: 'Gives a SCIM token a new secret; the earlier one ends at once (ours)',
    params: IdParams,
    data: MadeToken,
  }),
  removeToken: endpoint({
    method: 'DELETE',
    path: '/api/organisation/scim/tokens/{id}',
    access: 'user',
    right: 'identity.write',
    summary: 'Removes a SCIM token (ours)',
    params: IdParams,
  }),
  groups: endpoint({
    method: 'GET',
    path: '/api/organisation/scim/groups',
    access: 'user',
    right: 'identity.read',
    summary: 'Groups that the identity provider has made, with the roles that they give (ours)',
    data: z.array(ScimGroup),
  }),
  setGroupRole: endpoint({
    method: 'PUT',
    path: '/api/organisation/scim/group',
    access: 'user',
    right: 'identity.write',
    summary: 'Sets the role that a group gives; null for none (ours)',
    body: z.strictObject({ id: textOf(100), role: MemberRole.nullable() }),
  }),
  people: endpoint({
    method: 'GET',
    path: '/api/organisation/scim/people',
    access: 'user',
    right: 'identity.read',
    summary: 'People whom the identity provider has made (ours)',
    data: z.array(ScimPerson),
  }),
  trust: endpoint({
    method: 'GET',
    path: '/api/organisations/{id}/trust',
    access: 'root',
    summary: 'What root has said about an organisation (ours)',
    params: IdParams,
    data: Trust,
  }),
  setTrust: endpoint({
    method: 'PUT',
    path: '/api/organisations/{id}/trust',
    access: 'root',
    summary: 'Says which domains are an organisation’s: people with such addresses become members without an invitation (ours)',
    params: IdParams,
    body: z.strictObject(trust),
  }),
  setClaims: endpoint({
    method: 'PUT',
    path: '/api/organisation/claims',
    access: 'user',
    right: 'identity.write',
    summary: 'Sets which claims at sign-in with OIDC give which role; root must have allowed it (ours)',
    body: z.strictObject({ claims: Claims }),
  }),
  setClaimsAsRoot: endpoint({
    method: 'PUT',
    path: '/api/organisations/{id}/claims',
    access: 'root',
    summary: 'Sets which claims at sign-in with OIDC give which role in an organisation (ours)',
    params: IdParams,
    body: z.strictObject({ claims: Claims }),
  }),
  setProvider: endpoint({
    method: 'PUT',
    path: '/api/organisation/sign-in',
    access: 'user',
    right: 'sign-in.write',
    needsProof: true,
    summary: 'Sets the provider with which members must have signed in; empty for any (ours)',
    body: z.strictObject({ provider: SignInProvider }),
  }),
}
