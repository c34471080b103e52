import { createHash, randomBytes } from 'node:crypto'
import { AppError } from '@tollgate/contracts/app-error'
import {
  INVITATION_SECONDS,
  MAX_MEMBERS,
  MAX_OPEN_INVITATIONS,
  type Invitation,
  type Membership,
  type OwnInvitation,
} from '@tollgate/contracts/resources/organisations'
import type { MemberRole } from '@tollgate/contracts/rights'
import { enqueueMail } from '@tollgate/db/queries/deliveries/mails'
import {
  createInvitation,
  findInvitation,
  findInvitationByCode,
  listInvitations,
  listInvitationsTo,
  removeInvitation,
  removeStaleInvitations,
  type NamedInvitation,
} from '@tollgate/db/queries/users/invitations'
import { addMember, countMembers, findOrganisation, listMembers } from '@tollgate/db/queries/users/organisations'
import { linkScimUser } from '@tollgate/db/queries/users/scim'
import { findLanguage, findUser } from '@tollgate/db/queries/users/users'
import { mayGive } from '@tollgate/domain/access/rights'
import type { Actor } from '@tollgate/http/actor'
import { parseAddress } from '@tollgate/mail/addresses'
import { keys } from '@tollgate/redis/keys'
import { takeFromWindow } from '@tollgate/redis/stores/window'
import type { Context } from 'hono'
import { limitMails } from '../../mailbox-limits.ts'
import { recordAudit, type By } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import { changeOrganisation, requireMember, type MemberCall } from './chosen.ts'
import { changeInTurn } from './in-turn.ts'

type InviteCall = MemberCall & { readonly c: Context }
type Wanted = { readonly email: string; readonly role: MemberRole }

/** Invites by mail, or by the link alone. The code is stored as a hash and returned this once. */
export async function invite(deps: Deps, by: InviteCall, { email: text, role }: Wanted): Promise<{ id: number; code: string }> {
  const member = requireMember(by.actor)
  if (!mayGive(member.role, role)) throw new AppError('organisations.role')
  const email = text.trim() === '' ? '' : parseAddress(text)
  if (email === undefined) throw new AppError('organisations.address')
  if (email !== '') {
    if ((await listMembers(deps.db, by.actor.id)).some((one) => one.email.toLowerCase() === email))
      throw new AppError('organisations.invited-member')
    await limitInvitations(deps, by, email)
  }
  const code = randomBytes(24).toString('base64url')
  const now = nowSeconds(deps)
  const organisation_id = by.actor.id
  const id = await changeOrganisation(deps, by, async (tx) => {
    await removeStaleInvitations(tx, { organisation_id, email, now })
    const open = (await listInvitations(tx, organisation_id, now)).filter((one) => one.scim_user_id === null)
    if (open.length >= MAX_OPEN_INVITATIONS) throw new AppError('organisations.invitations', { count: MAX_OPEN_INVITATIONS })
    const row = { organisation_id, email, role, invited_by: member.id, created_at: now, expires_at: now + INVITATION_SECONDS }
    const made = await createInvitation(tx, { ...row, code_hash: hashOf(code) })
    if (email !== '') {
      const organisation = (await findOrganisation(tx, organisation_id))?.name ?? ''
      const values = { organisation, inviter: member.username, role }
      await enqueueMail(tx, { to: email, template: 'invitation', language: await findLanguage(tx, member.id), values, now })
    }
    const changes = [{ field: 'role', after: role }, ...(email === '' ? [] : [{ field: 'email', after: email }])]
    return { result: made, audited: [{ action: 'invite', resource: 'member', resource_id: '', changes }] }
  })
  return { id, code }
}

const HOUR_MS = 3_600_000

/** The operator's mail server is no tool against others: by mailbox, and by organisation. */
async function limitInvitations(deps: Deps, { c, ip, actor }: InviteCall, address: string): Promise<void> {
  const member = requireMember(actor)
  await limitMails(deps, { c, ip, actor: member }, { purpose: 'invitation', address })
  const { isTaken } = await takeFromWindow(deps.redis, keys.consoleWindow('invitations', String(actor.id)), MAX_OPEN_INVITATIONS, HOUR_MS)
  if (!isTaken) throw new AppError('organisations.invitations', { count: MAX_OPEN_INVITATIONS })
}

export async function listOpenInvitations(deps: Deps, { actor }: MemberCall): Promise<Invitation[]> {
  requireMember(actor)
  const rows = await listInvitations(deps.db, actor.id, nowSeconds(deps))
  return rows.map(({ id, email, role, inviter, created_at, expires_at }) => ({
    id,
    email,
    role,
    invited_by: inviter,
    created_at,
    expires_at,
  }))
}

export async function withdraw(deps: Deps, by: MemberCall, id: number): Promise<void> {
  await changeOrganisation(deps, by, async (tx) => {
    if (!(await removeInvitation(tx, { id, organisation_id: by.actor.id }))) throw new AppError('organisations.invitation')
    return { result: undefined, audited: [{ action: 'withdraw', resource: 'member', resource_id: '' }] }
  })
}

/** Invitations to the e-mail of a person's account. */
export async function listOwnInvitations(deps: Deps, actor: Actor): Promise<OwnInvitation[]> {
  const email = (await findUser(deps.db, actor.id))?.email ?? ''
  return (await listInvitationsTo(deps.db, email, nowSeconds(deps))).map(toOwn)
}

/** The offer of a link. */
export async function peek(deps: Deps, code: string): Promise<OwnInvitation> {
  const found = await findInvitationByCode(deps.db, hashOf(code), nowSeconds(deps))
  if (found === undefined) throw new AppError('organisations.invitation')
  return toOwn(found)
}

type Offered = { readonly id: number; readonly code: string }

/** Accepts an invitation once: by the code of its link, or by its id when it names the e-mail of the account. */
export async function join(deps: Deps, { actor, ip }: By & { readonly actor: Actor }, offered: Offered): Promise<Membership> {
  const now = nowSeconds(deps)
  const found = await findOffered(deps, actor, offered)
  const { id, organisation_id, role, organisation: name } = found
  await changeInTurn(deps, { organisation_id }, async (tx) => {
    if (!(await removeInvitation(tx, { id, organisation_id }))) throw new AppError('organisations.invitation')
    if ((await countMembers(tx, organisation_id)) >= MAX_MEMBERS) throw new AppError('organisations.members', { count: MAX_MEMBERS })
    const source = found.scim_user_id === null ? null : 'scim'
    if (!(await addMember(tx, { organisation_id, user_id: actor.id, role, joined_at: now, source })))
      throw new AppError('organisations.member')
    // The account has the address, and its person accepts: from now on it follows the identity provider.
    if (found.scim_user_id !== null) await linkScimUser(tx, { id: found.scim_user_id, user_id: actor.id, is_made: false })
    const member = { id: actor.id, username: actor.username, account_role: actor.role, role }
    const by = { actor: { ...actor, id: organisation_id, member }, ip }
    const changes = [{ field: 'role', after: role }]
    await recordAudit(deps, tx, by, [{ action: 'join', resource: 'member', resource_id: actor.id, changes }])
  })
  const group = (await findUser(deps.db, organisation_id))?.group ?? ''
  return { id: organisation_id, name, role, group }
}

/** Declines an invitation to the own address. */
export async function decline(deps: Deps, actor: Actor, id: number): Promise<void> {
  const found = await findOffered(deps, actor, { id, code: '' })
  await deps.db.transaction().execute((tx) => removeInvitation(tx, found))
}

async function findOffered(deps: Deps, actor: Actor, { id, code }: Offered): Promise<NamedInvitation> {
  const now = nowSeconds(deps)
  const found = code === '' ? await findInvitation(deps.db, id, now) : await findInvitationByCode(deps.db, hashOf(code), now)
  if (found === undefined) throw new AppError('organisations.invitation')
  if (code !== '') return found
  const email = (await findUser(deps.db, actor.id))?.email ?? ''
  if (email === '' || email.toLowerCase() !== found.email) throw new AppError('organisations.invitation')
  return found
}

const toOwn = ({ id, organisation, role, inviter, expires_at }: NamedInvitation): OwnInvitation => ({
  id,
  organisation,
  role,
  invited_by: inviter,
  expires_at,
})

const hashOf = (code: string): string => createHash('sha256').update(`invitation|${code}`).digest('hex')
