import { sql } from 'kysely'
import type { MemberRole } from '@tollgate/contracts/rights'
import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'
import { escapeLike } from '../../like.ts'
import type { AccountRow } from './users.ts'

export type OrganisationRow = {
  readonly id: number
  readonly name: string
  readonly created_at: UnixSeconds
}

export async function createOrganisation(tx: Tx, row: OrganisationRow & { readonly created_by: number }): Promise<void> {
  await tx.insertInto('organisations').values(row).execute()
}

export async function renameOrganisation(tx: Tx, { id, name }: Pick<OrganisationRow, 'id' | 'name'>): Promise<void> {
  await tx.updateTable('organisations').set({ name }).where('id', '=', id).execute()
}

/** How people become members by an identity provider, and how they must sign in. */
export type AccessRow = {
  /** Domains whose addresses are the organisation's. */
  readonly domains: readonly string[]
  readonly maps_claims: boolean
  readonly provisioned_role: MemberRole
  /** Empty: any. */
  readonly sign_in_provider: string
}

export async function getOrganisationAccess(db: Db | Tx, id: number): Promise<AccessRow> {
  const { domains, maps_claims, provisioned_role, sign_in_provider } = await db
    .selectFrom('organisations')
    .select(['domains', 'maps_claims', 'provisioned_role', 'sign_in_provider'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return {
    domains: (domains ?? '').split(',').filter((domain) => domain !== ''),
    maps_claims: maps_claims ?? false,
    provisioned_role: provisioned_role ?? 'viewer',
    sign_in_provider: sign_in_provider ?? '',
  }
}

export async function setOrganisationAccess(tx: Tx, id: number, { domains, ...patch }: Partial<AccessRow>): Promise<void> {
  await tx
    .updateTable('organisations')
    .set({ ...patch, ...(domains === undefined ? {} : { domains: domains.join(',') }) })
    .where('id', '=', id)
    .execute()
}

export type ClaimRow = { readonly claim: string; readonly value: string; readonly role: MemberRole }

/** Values of claims that give a role in an organisation, as they were entered. */
export function listClaims(db: Db | Tx, organisationId: number): Promise<ClaimRow[]> {
  return db
    .selectFrom('organisation_claims')
    .select(['claim', 'value', 'role'])
    .where('organisation_id', '=', organisationId)
    .orderBy('id')
    .execute()
}

export async function replaceClaims(tx: Tx, organisation_id: number, claims: readonly ClaimRow[]): Promise<void> {
  await tx.deleteFrom('organisation_claims').where('organisation_id', '=', organisation_id).execute()
  if (claims.length === 0) return
  await tx
    .insertInto('organisation_claims')
    .values(claims.map((claim) => ({ organisation_id, ...claim })))
    .execute()
}

/** Claims of all organisations that may map them and are not deleted. */
export function listMappedClaims(db: Db): Promise<(ClaimRow & { readonly organisation_id: number })[]> {
  return db
    .selectFrom('organisation_claims as c')
    .innerJoin('organisations as o', 'o.id', 'c.organisation_id')
    .innerJoin('users as u', 'u.id', 'o.id')
    .select(['c.organisation_id', 'c.claim', 'c.value', 'c.role'])
    .where('o.maps_claims', '=', true)
    .where('u.deleted_at', 'is', null)
    .execute()
}

export type OwnMembership = { readonly organisation_id: number; readonly role: MemberRole; readonly source: MemberSource }

/** The memberships of a user in organisations that are not deleted. */
export function listOwnMemberships(db: Db | Tx, userId: number): Promise<OwnMembership[]> {
  return db
    .selectFrom('organisation_members as m')
    .innerJoin('users as u', 'u.id', 'm.organisation_id')
    .select(['m.organisation_id', 'm.role', 'm.source'])
    .where('m.user_id', '=', userId)
    .where('u.deleted_at', 'is', null)
    .execute()
}

export function findOrganisation(db: Db | Tx, id: number): Promise<OrganisationRow | undefined> {
  return db.selectFrom('organisations').select(['id', 'name', 'created_at']).where('id', '=', id).executeTakeFirst()
}

/** The organisation of an account, locked until the transaction ends, so that its members change one after another. */
export function lockOrganisation(tx: Tx, id: number): Promise<OrganisationRow | undefined> {
  return tx.selectFrom('organisations').select(['id', 'name', 'created_at']).where('id', '=', id).forUpdate().executeTakeFirst()
}

/** The account of an organisation, and the role that the user has there. */
export async function findMembership(
  db: Db | Tx,
  { organisation_id, user_id }: { readonly organisation_id: number; readonly user_id: number },
): Promise<{ account: Omit<AccountRow, 'password_hash'>; role: MemberRole; sign_in_provider: string } | undefined> {
  const row = await db
    .selectFrom('organisation_members as m')
    .innerJoin('users as u', 'u.id', 'm.organisation_id')
    .innerJoin('organisations as o', 'o.id', 'm.organisation_id')
    .select(['u.id', 'u.username', 'u.role', 'u.status', 'u.group', 'm.role as member_role', 'o.sign_in_provider'])
    .where('m.organisation_id', '=', organisation_id)
    .where('m.user_id', '=', user_id)
    .where('u.deleted_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { member_role: role, sign_in_provider, ...account } = row
  return { account, role, sign_in_provider: sign_in_provider ?? '' }
}

export type MembershipRow = {
  readonly id: number
  readonly name: string
  readonly role: MemberRole
  readonly group: string
  readonly sign_in_provider: string | null
}

/** The organisations of a user that are not deleted, by name. */
export function listMemberships(db: Db | Tx, userId: number): Promise<MembershipRow[]> {
  return db
    .selectFrom('organisation_members as m')
    .innerJoin('organisations as o', 'o.id', 'm.organisation_id')
    .innerJoin('users as u', 'u.id', 'm.organisation_id')
    .select(['o.id', 'o.name', 'm.role', 'u.group', 'o.sign_in_provider'])
    .where('m.user_id', '=', userId)
    .where('u.deleted_at', 'is', null)
    .orderBy('o.name')
    .orderBy('o.id')
    .execute()
}

export type MemberRow = {
  readonly user_id: number
  readonly username: string
  readonly display_name: string
  readonly email: string
  readonly role: MemberRole
  readonly joined_at: UnixSeconds
  /** The way by which the membership follows an identity provider; null: a person gave it. */
  readonly source: MemberSource
}

/** Members whose accounts exist, in the order in which they joined. */
export function listMembers(db: Db | Tx, organisationId: number): Promise<MemberRow[]> {
  return db
    .selectFrom('organisation_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['m.user_id', 'u.username', 'u.display_name', 'u.email', 'm.role', 'm.joined_at', 'm.source'])
    .where('m.organisation_id', '=', organisationId)
    .where('u.deleted_at', 'is', null)
    .orderBy('m.joined_at')
    .orderBy('m.user_id')
    .execute()
}

export type MemberSource = 'scim' | 'oidc' | null

type Belongs = { readonly organisation_id: number; readonly user_id: number }

export async function findMemberRole(db: Db | Tx, belongs: Belongs): Promise<MemberRole | undefined> {
  return (await findMember(db, belongs))?.role
}

export function findMember(
  db: Db | Tx,
  { organisation_id, user_id }: Belongs,
): Promise<{ role: MemberRole; source: MemberSource } | undefined> {
  return db
    .selectFrom('organisation_members')
    .select(['role', 'source'])
    .where('organisation_id', '=', organisation_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
}

/** Adds a member; false: the user is one already. */
export async function addMember(
  tx: Tx,
  row: Belongs & { readonly role: MemberRole; readonly joined_at: UnixSeconds; readonly source?: MemberSource },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('organisation_members')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

type Role = { readonly role: MemberRole; readonly source?: MemberSource }

export async function setMemberRole(tx: Tx, { organisation_id, user_id, ...patch }: Belongs & Role): Promise<void> {
  await tx
    .updateTable('organisation_members')
    .set(patch)
    .where('organisation_id', '=', organisation_id)
    .where('user_id', '=', user_id)
    .execute()
}

export async function removeMember(tx: Tx, { organisation_id, user_id }: Belongs): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('organisation_members')
    .where('organisation_id', '=', organisation_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Owners whose accounts exist, without this one. */
export async function countOtherOwners(tx: Tx, { organisation_id, user_id }: Belongs): Promise<number> {
  const { total } = await tx
    .selectFrom('organisation_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('m.organisation_id', '=', organisation_id)
    .where('m.user_id', '<>', user_id)
    .where('m.role', '=', 'owner')
    .where('u.deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return total
}

/** Organisations that are not deleted and that this user owns. */
export async function countOwned(tx: Db | Tx, userId: number): Promise<number> {
  const { total } = await tx
    .selectFrom('organisation_members as m')
    .innerJoin('users as u', 'u.id', 'm.organisation_id')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('m.user_id', '=', userId)
    .where('m.role', '=', 'owner')
    .where('u.deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return total
}

export async function countMembers(db: Db | Tx, organisationId: number): Promise<number> {
  const { total } = await db
    .selectFrom('organisation_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('m.organisation_id', '=', organisationId)
    .where('u.deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return total
}

export type ListedOrganisation = {
  readonly id: number
  readonly name: string
  readonly username: string
  readonly owners: string[] | null
  readonly members: number
  readonly credited: Quota
  readonly spent: Quota
  readonly refunded: Quota
  readonly group: string
  readonly status: number
  readonly created_at: UnixSeconds
}

type Page = { readonly keyword: string; readonly limit: number; readonly offset: number }

/** One page of the organisations that are not deleted, newest first, and their number. */
export async function listOrganisations(
  db: Db | Tx,
  { keyword, limit, offset }: Page,
): Promise<{ items: ListedOrganisation[]; total: number }> {
  const found = db
    .selectFrom('organisations as o')
    .innerJoin('users as u', 'u.id', 'o.id')
    .where('u.deleted_at', 'is', null)
    .$if(keyword !== '', (query) => query.where('o.name', 'ilike', `%${escapeLike(keyword)}%`))
  const items = await found
    .select(['o.id', 'o.name', 'u.username', 'u.credited', 'u.spent', 'u.refunded', 'u.group', 'u.status', 'o.created_at'])
    .select([
      sql<string[] | null>`(select jsonb_agg(p.username order by m.joined_at) from organisation_members m
        join users p on p.id = m.user_id and p.deleted_at is null where m.organisation_id = o.id and m.role = 'owner')`.as('owners'),
      sql<number>`(select count(*) from organisation_members m
        join users p on p.id = m.user_id and p.deleted_at is null where m.organisation_id = o.id)`.as('members'),
    ])
    .orderBy('o.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { items, total }
}
