import { sql } from 'kysely'
import type { MemberRole } from '@tollgate/contracts/rights'
import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'
import { toJsonb } from '../../jsonb.ts'

export type ScimTokenRow = {
  readonly id: number
  readonly organisation_id: number
  readonly name: string
  readonly created_by: number
  readonly created_at: UnixSeconds
  /** 0: never. */
  readonly expires_at: UnixSeconds
  /** 0: never. */
  readonly used_at: UnixSeconds
}

const TOKEN = ['id', 'organisation_id', 'name', 'created_by', 'created_at', 'expires_at', 'used_at'] as const

export function listScimTokens(db: Db | Tx, organisationId: number): Promise<ScimTokenRow[]> {
  return db.selectFrom('scim_tokens').select(TOKEN).where('organisation_id', '=', organisationId).orderBy('id').execute()
}

/** The token with this hash, if it has not expired and its organisation is an enabled account. */
export function findScimToken(db: Db | Tx, tokenHash: string, now: UnixSeconds): Promise<ScimTokenRow | undefined> {
  return db
    .selectFrom('scim_tokens as t')
    .innerJoin('users as u', 'u.id', 't.organisation_id')
    .select(['t.id', 't.organisation_id', 't.name', 't.created_by', 't.created_at', 't.expires_at', 't.used_at'])
    .where('t.token_hash', '=', tokenHash)
    .where((eb) => eb.or([eb('t.expires_at', '=', 0), eb('t.expires_at', '>', now)]))
    .where('u.deleted_at', 'is', null)
    .where('u.status', '=', 1)
    .executeTakeFirst()
}

type NewToken = Pick<ScimTokenRow, 'organisation_id' | 'name' | 'created_by' | 'created_at' | 'expires_at'> & {
  readonly token_hash: string
}

export async function createScimToken(tx: Tx, row: NewToken): Promise<number> {
  const { id } = await tx.insertInto('scim_tokens').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

type Owned<Id> = { readonly id: Id; readonly organisation_id: number }

/** Gives a token another secret; the name of it, undefined: there is no such token. */
export async function replaceScimToken(
  tx: Tx,
  { id, organisation_id, token_hash }: Owned<number> & { readonly token_hash: string },
): Promise<string | undefined> {
  const row = await tx
    .updateTable('scim_tokens')
    .set({ token_hash, used_at: 0 })
    .where('id', '=', id)
    .where('organisation_id', '=', organisation_id)
    .returning('name')
    .executeTakeFirst()
  return row?.name
}

/** The name of the token that was removed. */
export async function removeScimToken(tx: Tx, { id, organisation_id }: Owned<number>): Promise<string | undefined> {
  const row = await tx
    .deleteFrom('scim_tokens')
    .where('id', '=', id)
    .where('organisation_id', '=', organisation_id)
    .returning('name')
    .executeTakeFirst()
  return row?.name
}

export async function noteScimTokenUse(db: Db, id: number, now: UnixSeconds): Promise<void> {
  await db.updateTable('scim_tokens').set({ used_at: now }).where('id', '=', id).where('used_at', '<', now).execute()
}

/** A person that an identity provider has provisioned. */
export type ScimUserRow = {
  readonly id: string
  readonly organisation_id: number
  /** The account of the person; null until there is one that proved to be theirs. */
  readonly user_id: number | null
  /** The account was made for it. */
  readonly is_made: boolean
  readonly user_name: string
  readonly active: boolean
  readonly attributes: Record<string, unknown>
  readonly version: number
  readonly created_at: UnixSeconds
  readonly changed_at: UnixSeconds
}

const USER = [
  'id',
  'organisation_id',
  'user_id',
  'is_made',
  'user_name',
  'active',
  'attributes',
  'version',
  'created_at',
  'changed_at',
] as const

/** All of an organisation, or those with these ids, in the order in which they were made. */
export function listScimUsers(db: Db | Tx, organisationId: number, ids?: readonly string[]): Promise<ScimUserRow[]> {
  const all = db.selectFrom('scim_users').select(USER).where('organisation_id', '=', organisationId).orderBy('id')
  return (ids === undefined ? all : all.where('id', 'in', ids)).execute()
}

export async function listScimUserIds(db: Db | Tx, organisationId: number): Promise<string[]> {
  const rows = await db.selectFrom('scim_users').select('id').where('organisation_id', '=', organisationId).execute()
  return rows.map(({ id }) => id)
}

/** The id of the record that is linked to an account. */
export async function findScimUserOf(
  db: Db | Tx,
  { organisation_id, user_id }: { readonly organisation_id: number; readonly user_id: number },
): Promise<string | undefined> {
  const found = db.selectFrom('scim_users').select('id').where('organisation_id', '=', organisation_id).where('user_id', '=', user_id)
  return (await found.executeTakeFirst())?.id
}

/** Where the records of a provider are, and the column of the name that one organisation has once. */
const NAME_OF = { scim_users: 'user_name', scim_groups: 'display_name' } as const
type Records = keyof typeof NAME_OF

type Name = {
  readonly organisation_id: number
  readonly name: string
  /** The id of the record that may have it. */
  readonly except?: string
}

/** True if another record of the organisation has this name. */
export async function hasScimName(db: Db | Tx, records: Records, { organisation_id, name, except = '' }: Name): Promise<boolean> {
  const found = db
    .selectFrom(records)
    .select('id')
    .where('organisation_id', '=', organisation_id)
    .where(sql<boolean>`lower(${sql.ref(NAME_OF[records])}) = lower(${name})`)
    .where('id', '<>', except)
  return (await found.executeTakeFirst()) !== undefined
}

export async function countScim(db: Db | Tx, records: Records, organisationId: number): Promise<number> {
  const { total } = await db
    .selectFrom(records)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('organisation_id', '=', organisationId)
    .executeTakeFirstOrThrow()
  return total
}

export function findScimUser(db: Db | Tx, { id, organisation_id }: Owned<string>): Promise<ScimUserRow | undefined> {
  return db.selectFrom('scim_users').select(USER).where('id', '=', id).where('organisation_id', '=', organisation_id).executeTakeFirst()
}

export async function createScimUser(
  tx: Tx,
  { attributes, ...row }: Omit<ScimUserRow, 'user_id' | 'is_made' | 'version'>,
): Promise<ScimUserRow> {
  return await tx
    .insertInto('scim_users')
    .values({ ...row, attributes: toJsonb(attributes) })
    .returning(USER)
    .executeTakeFirstOrThrow()
}

type UserChange = Pick<ScimUserRow, 'user_name' | 'active' | 'attributes' | 'changed_at'>

export async function changeScimUser(tx: Tx, id: string, { attributes, ...row }: UserChange): Promise<ScimUserRow> {
  return await tx
    .updateTable('scim_users')
    .set((eb) => ({ ...row, attributes: toJsonb(attributes), version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .returning(USER)
    .executeTakeFirstOrThrow()
}

/** Binds a record to the account of its person. */
export async function linkScimUser(
  tx: Tx,
  { id, user_id, is_made }: Pick<ScimUserRow, 'id' | 'user_id'> & { readonly is_made: boolean },
): Promise<void> {
  await tx.updateTable('scim_users').set({ user_id, is_made }).where('id', '=', id).execute()
}

export async function removeScimUser(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('scim_users').where('id', '=', id).execute()
}

export type ScimGroupRow = {
  readonly id: string
  readonly organisation_id: number
  readonly display_name: string
  readonly external_id: string
  /** The role that the organisation gives to people in it. */
  readonly role: MemberRole | null
  readonly version: number
  readonly created_at: UnixSeconds
  readonly changed_at: UnixSeconds
}

const GROUP = ['id', 'organisation_id', 'display_name', 'external_id', 'role', 'version', 'created_at', 'changed_at'] as const

export function listScimGroups(db: Db | Tx, organisationId: number): Promise<ScimGroupRow[]> {
  return db.selectFrom('scim_groups').select(GROUP).where('organisation_id', '=', organisationId).orderBy('id').execute()
}

export function findScimGroup(db: Db | Tx, { id, organisation_id }: Owned<string>): Promise<ScimGroupRow | undefined> {
  return db.selectFrom('scim_groups').select(GROUP).where('id', '=', id).where('organisation_id', '=', organisation_id).executeTakeFirst()
}

export async function createScimGroup(tx: Tx, row: Omit<ScimGroupRow, 'role' | 'version'>): Promise<ScimGroupRow> {
  return await tx.insertInto('scim_groups').values(row).returning(GROUP).executeTakeFirstOrThrow()
}

export async function changeScimGroup(
  tx: Tx,
  id: string,
  row: Pick<ScimGroupRow, 'display_name' | 'external_id' | 'changed_at'>,
): Promise<ScimGroupRow> {
  return await tx
    .updateTable('scim_groups')
    .set((eb) => ({ ...row, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .returning(GROUP)
    .executeTakeFirstOrThrow()
}

export async function setScimGroupRole(tx: Tx, id: string, role: MemberRole | null): Promise<void> {
  await tx.updateTable('scim_groups').set({ role }).where('id', '=', id).execute()
}

export async function removeScimGroup(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('scim_groups').where('id', '=', id).execute()
}

export type ScimMembershipRow = { readonly group_id: string; readonly scim_user_id: string }

/** Who is in which group of an organisation. */
export function listScimMemberships(db: Db | Tx, organisationId: number): Promise<ScimMembershipRow[]> {
  return db
    .selectFrom('scim_group_members as m')
    .innerJoin('scim_groups as g', 'g.id', 'm.group_id')
    .select(['m.group_id', 'm.scim_user_id'])
    .where('g.organisation_id', '=', organisationId)
    .orderBy('m.scim_user_id')
    .execute()
}

/** The people of a group. */
export async function listScimMembers(db: Db | Tx, groupId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('scim_group_members')
    .select('scim_user_id')
    .where('group_id', '=', groupId)
    .orderBy('scim_user_id')
    .execute()
  return rows.map(({ scim_user_id }) => scim_user_id)
}

/** Sets the people of a group. */
export async function setScimMembers(tx: Tx, groupId: string, ids: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('scim_group_members')
    .where('group_id', '=', groupId)
    .$if(ids.length > 0, (query) => query.where('scim_user_id', 'not in', ids))
    .execute()
  if (ids.length === 0) return
  await tx
    .insertInto('scim_group_members')
    .values(ids.map((scim_user_id) => ({ group_id: groupId, scim_user_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The roles that the groups of a person give. */
export async function listRolesByGroups(db: Db | Tx, scimUserId: string): Promise<MemberRole[]> {
  const rows = await db
    .selectFrom('scim_group_members as m')
    .innerJoin('scim_groups as g', 'g.id', 'm.group_id')
    .select('g.role')
    .where('m.scim_user_id', '=', scimUserId)
    .where('g.role', 'is not', null)
    .$narrowType<{ role: MemberRole }>()
    .execute()
  return rows.map(({ role }) => role)
}

/** The account with this address that was made for a provisioned person and has no way to sign in yet. */
export async function findUnclaimedAccount(db: Db | Tx, email: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('users as u')
    .innerJoin('scim_users as s', 's.user_id', 'u.id')
    .select('u.id')
    .where('s.is_made', '=', true)
    .where(sql<boolean>`u.email <> ''`)
    .where(sql<string>`lower(u.email)`, '=', email.toLowerCase())
    .where('u.deleted_at', 'is', null)
    .where('u.password_hash', '=', '')
    .where((eb) =>
      eb.and((['github_id', 'oidc_id', 'linux_do_id', 'wechat_id', 'telegram_id'] as const).map((column) => eb(`u.${column}`, '=', ''))),
    )
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('passkeys as p').select('p.id').whereRef('p.user_id', '=', 'u.id'))))
    .executeTakeFirst()
  return row?.id
}
