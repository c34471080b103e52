import { createHash, randomBytes } from 'node:crypto'
import { Role } from '@tollgate/contracts/enums'
import { MAX_MEMBERS } from '@tollgate/contracts/resources/organisations'
import { MEMBER_ROLES, type MemberRole } from '@tollgate/contracts/rights'
import { getNextUserId } from '@tollgate/db/queries/users/bindings'
import { createInvitation, findInvitationOf, removeInvitationOf } from '@tollgate/db/queries/users/invitations'
import {
  addMember,
  countMembers,
  countOtherOwners,
  findMember,
  findOrganisation,
  getOrganisationAccess,
  removeMember,
  setMemberRole,
  type MemberSource,
} from '@tollgate/db/queries/users/organisations'
import { linkScimUser, listRolesByGroups, findScimUserOf, type ScimUserRow } from '@tollgate/db/queries/users/scim'
import { createUser, findAccount, findAccountByEmail, findLanguage, isUsernameTaken } from '@tollgate/db/queries/users/users'
import { appendOutbox } from '@tollgate/db/queries/wallet/outbox'
import { isRecord } from '@tollgate/domain/scim/schema'
import { ScimError } from '@tollgate/domain/scim/scim-error'
import { isDomainAllowed, parseAddress } from '@tollgate/mail/addresses'
import { nowSeconds, type Deps } from '../../deps.ts'
import { disableTokensOf } from '../organisations/members.ts'
import { createInviteCode } from '../setup/invite-code.ts'
import { hasInvisible, withoutConfusing } from '../users/policy.ts'
import type { Change } from './change.ts'

const INVITATION_S = 365 * 86_400

/** Makes the membership of a provisioned person what the record and its groups say. */
export async function followRecord(deps: Deps, change: Change, record: ScimUserRow): Promise<void> {
  if (!record.active) {
    await removeInvitationOf(change.tx, record.id)
    if (record.user_id !== null) await endMember(deps, change, { user_id: record.user_id, sessions: record.is_made ? 'end' : 'stay' })
    return
  }
  const { provisioned_role, domains } = await getOrganisationAccess(change.tx, change.organisation_id)
  const role = mightiest(await listRolesByGroups(change.tx, record.id)) ?? provisioned_role
  const account = await accountOf(deps, change, record, domains)
  if (account === undefined) return await inviteRecord(deps, change, record, role)
  await removeInvitationOf(change.tx, record.id)
  await keepMember(deps, change, { user_id: account, role, source: 'scim' })
}

/** The mightiest of some roles. */
export const mightiest = (roles: readonly MemberRole[]): MemberRole | undefined => MEMBER_ROLES.find((role) => roles.includes(role))

/** The address of a provisioned person: the primary one, else the first, else the user name. */
export function addressOf({ attributes, user_name }: Pick<ScimUserRow, 'attributes' | 'user_name'>): string {
  const emails = Array.isArray(attributes['emails']) ? attributes['emails'].filter(isRecord) : []
  const chosen = emails.find((one) => one['primary'] === true) ?? emails[0]
  const text = typeof chosen?.['value'] === 'string' ? chosen['value'] : user_name
  return parseAddress(text) ?? ''
}

/**
 * The account of a provisioned person. An address proves nothing by itself: an account is found or made by it only if root has said that its
 * domain is the organisation's, or if the account is a member already. Everyone else is invited.
 */
async function accountOf(deps: Deps, change: Change, record: ScimUserRow, domains: readonly string[]): Promise<number | undefined> {
  const { tx } = change
  if (record.user_id !== null && (await findAccount(tx, record.user_id)) !== undefined) return record.user_id
  const email = addressOf(record)
  if (email === '') return undefined
  const isProven = isDomainAllowed(email, domains)
  const known = await findAccountByEmail(tx, email)
  if (known === undefined && !isProven) return undefined
  if (known !== undefined) {
    const isMember = (await findMember(tx, { organisation_id: change.organisation_id, user_id: known.id })) !== undefined
    if (!isProven && !isMember) return undefined
    if ((await findOrganisation(tx, known.id)) !== undefined) return undefined
    const linked = await findScimUserOf(tx, { organisation_id: change.organisation_id, user_id: known.id })
    if (linked !== undefined && linked !== record.id)
      throw new ScimError(409, 'Another user of this organisation has this address', 'uniqueness')
  }
  const user_id = known?.id ?? (await makeAccount(deps, change, record, email))
  await linkScimUser(tx, { id: record.id, user_id, is_made: known === undefined })
  return user_id
}

const MAX_USERNAME = 12
const MAX_DISPLAY_NAME = 20

/** An account without a password, bonus or identity: its person signs in with the provider that has the address, or sets a password by mail. */
async function makeAccount(deps: Deps, { tx, made_by, synced, audited }: Change, record: ScimUserRow, email: string): Promise<number> {
  const now = nowSeconds(deps)
  const id = await createUser(tx, {
    username: await freeName(tx, email.slice(0, email.lastIndexOf('@'))),
    password_hash: '',
    display_name: displayNameOf(record.attributes),
    role: Role.user,
    group: 'default',
    aff_code: createInviteCode(),
    email,
    language: await findLanguage(tx, made_by),
    shards: deps.env.SHARDS,
    now,
  })
  await appendOutbox(tx, { subject: 'user', subject_id: id, now })
  synced.push({ subject: 'user', id })
  audited.push({ action: 'create', resource: 'user', resource_id: id, changes: [{ field: 'email', after: email }] })
  return id
}

async function freeName(tx: Change['tx'], wanted: string): Promise<string> {
  const isValid = wanted !== '' && [...wanted].length <= MAX_USERNAME && !hasInvisible(wanted)
  if (isValid && !(await isUsernameTaken(tx, { username: wanted, except: 0 }))) return wanted
  for (let number = await getNextUserId(tx); ; number += 1)
    if (!(await isUsernameTaken(tx, { username: `scim_${number}`, except: 0 }))) return `scim_${number}`
}

function displayNameOf(attributes: ScimUserRow['attributes']): string {
  const name = isRecord(attributes['name']) ? attributes['name'] : {}
  const text = attributes['displayName'] ?? name['formatted'] ?? [name['givenName'], name['familyName']].filter(Boolean).join(' ')
  const clean = withoutConfusing(typeof text === 'string' ? text : '').replaceAll(/\s+/g, ' ')
  return [...clean.trim()].slice(0, MAX_DISPLAY_NAME).join('').trim()
}

/** Invites the address once, by mail and in the console of the account that has it. */
async function inviteRecord(deps: Deps, change: Change, record: ScimUserRow, role: MemberRole): Promise<void> {
  const { tx, organisation_id, made_by } = change
  const email = addressOf(record)
  const now = nowSeconds(deps)
  const open = await findInvitationOf(tx, record.id, now)
  if (open?.email === email && open.role === role) return
  await removeInvitationOf(tx, record.id)
  if (email === '') return
  // The code is in no link: only the account with the address can accept.
  const code_hash = createHash('sha256').update(randomBytes(32)).digest('hex')
  const row = { organisation_id, email, role, code_hash, invited_by: made_by, created_at: now, expires_at: now + INVITATION_S }
  await createInvitation(tx, { ...row, scim_user_id: record.id })
  const changes = [
    { field: 'role', after: role },
    { field: 'email', after: email },
  ]
  change.audited.push({ action: 'invite', resource: 'member', resource_id: '', changes })
  if (open?.email !== email) change.mails.push({ to: email, role })
}

type Kept = { readonly user_id: number; readonly role: MemberRole; readonly source: Exclude<MemberSource, null> }

/** Adds a member or changes the role. Owners that people made stay, and so does the last one. */
export async function keepMember(deps: Deps, change: Change, { user_id, role, source }: Kept): Promise<void> {
  const { tx, organisation_id } = change
  const belongs = { organisation_id, user_id }
  const before = await findMember(tx, belongs)
  if (before === undefined) {
    if ((await countMembers(tx, organisation_id)) >= MAX_MEMBERS)
      throw new ScimError(403, `An organisation has at most ${MAX_MEMBERS} members`)
    const joined = [
      { field: 'role', after: role },
      { field: 'source', after: source },
    ]
    await addMember(tx, { ...belongs, role, joined_at: nowSeconds(deps), source })
    change.audited.push({ action: 'join', resource: 'member', resource_id: user_id, changes: joined })
    return
  }
  if (before.role === 'owner' && before.source === null) return
  const isLast = before.role === 'owner' && role !== 'owner' && (await countOtherOwners(tx, belongs)) === 0
  const after = isLast ? 'owner' : role
  if (after === before.role && before.source === source) return
  await setMemberRole(tx, { ...belongs, role: after, source })
  if (after !== before.role) {
    const changes = [{ field: 'role', before: before.role, after }]
    change.audited.push({ action: 'update', resource: 'member', resource_id: user_id, changes })
  }
}

type Ended = { readonly user_id: number; readonly sessions: 'end' | 'stay' }

/** Ends a membership and disables the tokens that the member made; the last owner stays. */
export async function endMember(deps: Deps, change: Change, { user_id, sessions }: Ended): Promise<void> {
  const { tx, organisation_id } = change
  const belongs = { organisation_id, user_id }
  const before = await findMember(tx, belongs)
  if (before === undefined) return
  if (before.role === 'owner' && (await countOtherOwners(tx, belongs)) === 0)
    throw new ScimError(409, 'This is the last owner of the organisation: make another member the owner first', 'mutability')
  await removeMember(tx, belongs)
  const disabled = await disableTokensOf(deps, tx, { organisation_id, created_by: user_id })
  change.synced.push(...disabled.map((id) => ({ subject: 'token', id }) as const))
  if (sessions === 'end') change.ended.push(user_id)
  const tokens = disabled.length === 0 ? [] : [{ field: 'tokens', after: `−${disabled.length}` }]
  const changes = [{ field: 'role', before: before.role }, ...tokens]
  change.audited.push({ action: 'delete', resource: 'member', resource_id: user_id, changes })
}
