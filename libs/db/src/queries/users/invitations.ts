import type { MemberRole } from '@tollgate/contracts/rights'
import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'

export type InvitationRow = {
  readonly id: number
  readonly organisation_id: number
  /** Empty: the link alone admits. */
  readonly email: string
  readonly role: MemberRole
  readonly invited_by: number
  readonly created_at: UnixSeconds
  readonly expires_at: UnixSeconds
  /** The provisioned person whom it invites. */
  readonly scim_user_id: string | null
}

/** An invitation with the names of the organisation and of the member who made it. */
export type NamedInvitation = InvitationRow & { readonly organisation: string; readonly inviter: string }

const select = (db: Db | Tx, now: UnixSeconds) =>
  db
    .selectFrom('organisation_invitations as i')
    .innerJoin('organisations as o', 'o.id', 'i.organisation_id')
    .innerJoin('users as a', 'a.id', 'i.organisation_id')
    .innerJoin('users as u', 'u.id', 'i.invited_by')
    .select([
      'i.id',
      'i.organisation_id',
      'i.email',
      'i.role',
      'i.invited_by',
      'i.created_at',
      'i.expires_at',
      'i.scim_user_id',
      'o.name as organisation',
      'u.username as inviter',
    ])
    .where('i.expires_at', '>', now)
    .where('a.deleted_at', 'is', null)

/** Those that have not expired, newest first. */
export function listInvitations(db: Db | Tx, organisationId: number, now: UnixSeconds): Promise<NamedInvitation[]> {
  return select(db, now).where('i.organisation_id', '=', organisationId).orderBy('i.id', 'desc').execute()
}

/** Those to an address. */
export async function listInvitationsTo(db: Db | Tx, email: string, now: UnixSeconds): Promise<NamedInvitation[]> {
  if (email === '') return []
  return await select(db, now).where('i.email', '=', email.toLowerCase()).where('i.email', '<>', '').orderBy('i.id', 'desc').execute()
}

export function findInvitationByCode(db: Db | Tx, codeHash: string, now: UnixSeconds): Promise<NamedInvitation | undefined> {
  return select(db, now).where('i.code_hash', '=', codeHash).executeTakeFirst()
}

export function findInvitation(db: Db | Tx, id: number, now: UnixSeconds): Promise<NamedInvitation | undefined> {
  return select(db, now).where('i.id', '=', id).executeTakeFirst()
}

export async function createInvitation(
  tx: Tx,
  row: Omit<InvitationRow, 'id' | 'scim_user_id'> & Partial<Pick<InvitationRow, 'scim_user_id'>> & { readonly code_hash: string },
): Promise<number> {
  const { id } = await tx.insertInto('organisation_invitations').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

/** False: it was used or withdrawn meanwhile. */
export async function removeInvitation(tx: Tx, { id, organisation_id }: Pick<InvitationRow, 'id' | 'organisation_id'>): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('organisation_invitations')
    .where('id', '=', id)
    .where('organisation_id', '=', organisation_id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** The invitation of a provisioned person. */
export function findInvitationOf(tx: Tx, scimUserId: string, now: UnixSeconds): Promise<Pick<InvitationRow, 'email' | 'role'> | undefined> {
  return tx
    .selectFrom('organisation_invitations')
    .select(['email', 'role'])
    .where('scim_user_id', '=', scimUserId)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** The invitation of a provisioned person; its code is in no link. */
export async function removeInvitationOf(tx: Tx, scimUserId: string): Promise<void> {
  await tx.deleteFrom('organisation_invitations').where('scim_user_id', '=', scimUserId).execute()
}

/** Deletes what cannot be used any more: expired invitations, and earlier ones to the same address. */
export async function removeStaleInvitations(
  tx: Tx,
  { organisation_id, email, now }: Pick<InvitationRow, 'organisation_id' | 'email'> & { readonly now: UnixSeconds },
): Promise<void> {
  await tx
    .deleteFrom('organisation_invitations')
    .where('organisation_id', '=', organisation_id)
    .where('scim_user_id', 'is', null)
    .where((eb) => eb.or([eb('expires_at', '<=', now), eb.and([eb('email', '=', email), eb('email', '<>', '')])]))
    .execute()
}
