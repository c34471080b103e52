import { randomBytes } from 'node:crypto'
import { AppError } from '@tollgate/contracts/app-error'
import {
  MAX_SCIM_TOKENS,
  type MappedClaim,
  type OrganisationAccess,
  type ScimGroup,
  type ScimPerson,
  type ScimToken,
} from '@tollgate/contracts/resources/organisation-access'
import { PROVIDERS, type Provider } from '@tollgate/contracts/resources/oauth'
import type { MemberRole } from '@tollgate/contracts/rights'
import { DAY_SECONDS } from '@tollgate/contracts/units'
import {
  findMemberRole,
  findOrganisation,
  getOrganisationAccess,
  listClaims,
  listMembers,
  replaceClaims,
  setOrganisationAccess,
} from '@tollgate/db/queries/users/organisations'
import {
  createScimToken,
  listScimGroups,
  listScimMemberships,
  listScimTokens,
  listScimUsers,
  removeScimToken,
  replaceScimToken,
} from '@tollgate/db/queries/users/scim'
import { listUsernames } from '@tollgate/db/queries/users/usernames'
import { ScimError } from '@tollgate/domain/scim/scim-error'
import type { Actor } from '@tollgate/http/actor'
import { changedFields, type By } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import { publicUrl } from '../../public-address.ts'
import { changeOrganisation, requireMember, type MemberCall } from '../organisations/chosen.ts'
import { providers } from '../oauth/providers/providers.ts'
import { hashScimToken } from './caller.ts'
import { changePeople, type Change, type Changing } from './change.ts'
import { followAll, giveGroupRole } from './groups.ts'
import { addressOf } from './membership.ts'
import { SCIM_PATH } from './path.ts'

export async function getAccess(deps: Deps, actor: Actor): Promise<OrganisationAccess> {
  requireMember(actor)
  const { domains, provisioned_role, maps_claims, sign_in_provider } = await getOrganisationAccess(deps.db, actor.id)
  return {
    scim_url: await publicUrl(deps, SCIM_PATH),
    domains: [...domains],
    provisioned_role,
    maps_claims,
    claims: await listClaims(deps.db, actor.id),
    sign_in_provider: PROVIDERS.find((one) => one === sign_in_provider) ?? '',
    providers: await listProvidersThatAreOn(deps),
    signed_in_by: actor.signed_in_by ?? '',
  }
}

export async function listTokens(deps: Deps, actor: Actor): Promise<ScimToken[]> {
  requireMember(actor)
  const rows = await listScimTokens(deps.db, actor.id)
  const names = await listUsernames(
    deps.db,
    rows.map((row) => row.created_by),
  )
  return rows.map(({ id, name, created_by, created_at, expires_at, used_at }) => {
    return { id, name, created_by: names.get(created_by) ?? '', created_at, expires_at, used_at }
  })
}

type Wanted = { readonly name: string; readonly days: number }
type Made = { id: number; token: string }

/** Makes a token. Its secret is stored as a hash and returned this once. */
export async function makeToken(deps: Deps, by: MemberCall, { name, days }: Wanted): Promise<Made> {
  const member = requireMember(by.actor)
  const organisation_id = by.actor.id
  const now = nowSeconds(deps)
  const token = newSecret()
  const id = await changeOrganisation(deps, by, async (tx) => {
    if ((await listScimTokens(tx, organisation_id)).length >= MAX_SCIM_TOKENS)
      throw new AppError('organisations.scim-tokens', { count: MAX_SCIM_TOKENS })
    const expires_at = days === 0 ? 0 : now + days * DAY_SECONDS
    const row = { organisation_id, name, token_hash: hashScimToken(token), created_by: member.id, created_at: now, expires_at }
    const made = await createScimToken(tx, row)
    const changes = changedFields({}, { name, days })
    return { result: made, audited: [{ action: 'create', resource: 'scim-token', resource_id: made, changes }] }
  })
  return { id, token }
}

const newSecret = (): string => `scim-${randomBytes(32).toString('base64url')}`

/** A new secret for a token; the earlier one ends at once. */
export async function rotateToken(deps: Deps, by: MemberCall, id: number): Promise<Made> {
  const token = newSecret()
  await changeOrganisation(deps, by, async (tx) => {
    const name = await replaceScimToken(tx, { id, organisation_id: by.actor.id, token_hash: hashScimToken(token) })
    if (name === undefined) throw new AppError('record.missing')
    const changes = [{ field: 'name', before: name }, { field: 'secret' }]
    return { result: undefined, audited: [{ action: 'update', resource: 'scim-token', resource_id: id, changes }] }
  })
  return { id, token }
}

export async function endToken(deps: Deps, by: MemberCall, id: number): Promise<void> {
  await changeOrganisation(deps, by, async (tx) => {
    const name = await removeScimToken(tx, { id, organisation_id: by.actor.id })
    if (name === undefined) throw new AppError('record.missing')
    const changes = [{ field: 'name', before: name }]
    return { result: undefined, audited: [{ action: 'delete', resource: 'scim-token', resource_id: id, changes }] }
  })
}

export async function listScimGroupsOf(deps: Deps, actor: Actor): Promise<ScimGroup[]> {
  requireMember(actor)
  const [rows, memberships] = await Promise.all([listScimGroups(deps.db, actor.id), listScimMemberships(deps.db, actor.id)])
  const counts = Map.groupBy(memberships, (one) => one.group_id)
  return rows.map(({ id, display_name, role }) => ({ id, name: display_name, role, members: counts.get(id)?.length ?? 0 }))
}

export async function listPeople(deps: Deps, actor: Actor): Promise<ScimPerson[]> {
  requireMember(actor)
  const [rows, members] = await Promise.all([listScimUsers(deps.db, actor.id), listMembers(deps.db, actor.id)])
  const names = new Map(members.map((one) => [one.user_id, one.username]))
  return rows.map((row) => {
    const username = row.user_id === null ? undefined : names.get(row.user_id)
    const state = !row.active ? 'inactive' : username === undefined ? 'waiting' : 'member'
    return { id: row.id, user_name: row.user_name, email: addressOf(row), state, username: username ?? '' }
  })
}

export async function giveRoleByGroup(deps: Deps, by: MemberCall, { id, role }: { readonly id: string; readonly role: MemberRole | null }) {
  await changeByMember(deps, by, async (change) => void (await giveGroupRole(deps, change, id, role)))
}

/** Sets the role of people whose groups give none; members follow at once. */
export async function setProvisionedRole(deps: Deps, by: MemberCall, role: MemberRole): Promise<void> {
  const { id } = by.actor
  await changeByMember(deps, by, async (change) => {
    const { provisioned_role: before } = await getOrganisationAccess(change.tx, id)
    await setOrganisationAccess(change.tx, id, { provisioned_role: role })
    const changes = changedFields({ provisioned_role: before }, { provisioned_role: role })
    if (changes.length > 0) change.audited.push({ action: 'update', resource: 'organisation', resource_id: id, changes })
    await followAll(deps, change)
  })
}

async function changeByMember(deps: Deps, by: MemberCall, work: (change: Change) => Promise<void>): Promise<void> {
  const member = requireMember(by.actor)
  const changing = { by, organisation_id: by.actor.id, made_by: member.id }
  await changeForConsole(deps, changing, async (change) => {
    // The role may have changed since the call was admitted.
    const role = await findMemberRole(change.tx, { organisation_id: by.actor.id, user_id: member.id })
    if (role !== member.role) throw new AppError('guard.member-role')
    await work(change)
  })
}

async function changeForConsole(deps: Deps, changing: Changing, work: (change: Change) => Promise<void>): Promise<void> {
  await changePeople(deps, changing, work).catch((error: unknown) => {
    if (!(error instanceof ScimError)) throw error
    if (error.status === 404) throw new AppError('record.missing', {}, { cause: error })
    throw new AppError('organisations.scim', { detail: error.message }, { cause: error })
  })
}

type Trust = { domains: string[]; maps_claims: boolean }

export async function getTrust(deps: Deps, id: number): Promise<Trust & { claims: MappedClaim[] }> {
  await requireOrganisation(deps, id)
  const { domains, maps_claims } = await getOrganisationAccess(deps.db, id)
  return { domains: [...domains], maps_claims, claims: await listClaims(deps.db, id) }
}

const DOMAIN = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/

/** Says which domains are the organisation's. People who wait with such an address become members. */
export async function setTrust(deps: Deps, by: By, id: number, wanted: Trust): Promise<void> {
  await requireOrganisation(deps, id)
  const domains = [...new Set(wanted.domains.map((domain) => domain.trim().toLowerCase()))]
  const wrong = domains.find((domain) => domain.length > 253 || !DOMAIN.test(domain))
  if (wrong !== undefined) throw new AppError('organisations.domain', { domain: wrong })
  await changeForConsole(deps, { by, organisation_id: id, made_by: by.actor.id }, async (change) => {
    const before = await getOrganisationAccess(change.tx, id)
    const { maps_claims } = wanted
    await setOrganisationAccess(change.tx, id, { domains, maps_claims })
    const changes = changedFields(
      { domains: before.domains.join(', '), maps_claims: before.maps_claims },
      { domains: domains.join(', '), maps_claims },
    )
    if (changes.length > 0) change.audited.push({ action: 'update', resource: 'organisation', resource_id: id, changes })
    await followAll(deps, change)
  })
}

/** Sets the claims that give roles. They hold from the next sign-in of each person. */
export async function setOwnClaims(deps: Deps, by: MemberCall, claims: readonly MappedClaim[]): Promise<void> {
  await changeByMember(deps, by, async (change) => {
    if (!(await getOrganisationAccess(change.tx, by.actor.id)).maps_claims) throw new AppError('organisations.claims-off')
    await setClaims(change, claims)
  })
}

export async function setClaimsAsRoot(deps: Deps, by: By, id: number, claims: readonly MappedClaim[]): Promise<void> {
  await requireOrganisation(deps, id)
  await changeForConsole(deps, { by, organisation_id: id, made_by: by.actor.id }, (change) => setClaims(change, claims))
}

async function setClaims({ tx, organisation_id: id, audited }: Change, claims: readonly MappedClaim[]): Promise<void> {
  const keys = claims.map(({ claim, value }) => `${claim}=${value}`)
  const twice = keys.find((key, at) => keys.indexOf(key) !== at)
  if (twice !== undefined) throw new AppError('organisations.claims', { value: twice })
  const textOf = (all: readonly MappedClaim[]) => all.map(({ claim, value, role }) => `${claim}=${value}: ${role}`).join(', ')
  const before = await listClaims(tx, id)
  await replaceClaims(tx, id, claims)
  const changes = changedFields({ claims: textOf(before) }, { claims: textOf(claims) })
  if (changes.length > 0) audited.push({ action: 'update', resource: 'organisation', resource_id: id, changes })
}

/** Sets the provider with which members must have signed in. The owner who sets it has signed in with it, so that it works for one at least. */
export async function setProvider(deps: Deps, by: MemberCall, provider: Provider | ''): Promise<void> {
  const { id, signed_in_by } = by.actor
  if (provider !== '' && !(await listProvidersThatAreOn(deps)).includes(provider)) throw new AppError('organisations.provider-off')
  if (provider !== '' && provider !== signed_in_by) throw new AppError('organisations.provider-own')
  await changeByMember(deps, by, async ({ tx, audited }) => {
    const { sign_in_provider: before } = await getOrganisationAccess(tx, id)
    await setOrganisationAccess(tx, id, { sign_in_provider: provider })
    const changes = changedFields({ sign_in_provider: before }, { sign_in_provider: provider })
    if (changes.length > 0) audited.push({ action: 'update', resource: 'organisation', resource_id: id, changes })
  })
}

async function listProvidersThatAreOn(deps: Deps): Promise<Provider[]> {
  const options = await deps.options.all()
  return PROVIDERS.filter((provider) => options[providers[provider].isOn])
}

async function requireOrganisation(deps: Deps, id: number): Promise<void> {
  if ((await findOrganisation(deps.db, id)) === undefined) throw new AppError('record.missing')
}
