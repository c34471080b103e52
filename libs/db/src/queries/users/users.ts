import { sql, type Expression, type RawBuilder, type Selectable } from 'kysely'
import { UserStatus } from '@tollgate/contracts/enums'
import type { Language } from '@tollgate/contracts/texts/mails'
import type { Limits } from '@tollgate/contracts/relay/limits'
import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'
import { toJsonb } from '../../jsonb.ts'
import type { Database } from '../../schema.ts'

type Users = Selectable<Database['users']>

/** Columns of the API's User, without password and access token. */
export const SHOWN_OF_USER = [
  'id',
  'username',
  'display_name',
  'role',
  'status',
  'email',
  'github_id',
  'oidc_id',
  'wechat_id',
  'telegram_id',
  'linux_do_id',
  'group',
  'credited',
  'spent',
  'refunded',
  'request_count',
  'aff_code',
  'aff_count',
  'aff_quota',
  'aff_history',
  'inviter_id',
  'setting',
  'limits',
  'deleted_at',
] as const satisfies readonly (keyof Users)[]
export type UserRow = Pick<Users, (typeof SHOWN_OF_USER)[number]>

/** The columns that decide what a caller may do; read on each call. */
const ACCOUNT = ['id', 'username', 'password_hash', 'role', 'status', 'group'] as const satisfies readonly (keyof Users)[]
export type AccountRow = Pick<Users, (typeof ACCOUNT)[number]>

/** The user, unless deleted. */
export function findUser(db: Db | Tx, id: number): Promise<UserRow | undefined> {
  return db.selectFrom('users').select(SHOWN_OF_USER).where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst()
}

/** The shard of a user, and the limits over all tokens. */
export async function getUserLimits(db: Db | Tx, id: number): Promise<{ shard: number; limits: Limits | null }> {
  return await db.selectFrom('users').select(['shard', 'limits']).where('id', '=', id).executeTakeFirstOrThrow()
}

/** The user, deleted or not, locked until the transaction ends. */
export function lockUser(tx: Tx, id: number): Promise<UserRow | undefined> {
  return tx.selectFrom('users').select(SHOWN_OF_USER).where('id', '=', id).forUpdate().executeTakeFirst()
}

export function findAccount(db: Db | Tx, id: number): Promise<AccountRow | undefined> {
  return db.selectFrom('users').select(ACCOUNT).where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst()
}

export function findAccountByAccessToken(db: Db | Tx, accessTokenHash: string): Promise<AccountRow | undefined> {
  return db
    .selectFrom('users')
    .select(ACCOUNT)
    .where('access_token_hash', '=', accessTokenHash)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/**
 * A name as it is compared: in compatibility form (full-width letters are letters) and without case. `upper` after `lower` also folds ß and
 * the two small sigmas. The unique index users_username_folded has the same expression.
 */
function folded(name: Expression<string>): RawBuilder<string> {
  return sql<string>`upper(lower(normalize(${name}, NFKC) collate "und-x-icu"))`
}

const foldedText = (name: string): RawBuilder<string> => folded(sql<string>`${name}::text`)

/** The users with this name and with this e-mail, both in any case: an older name may be another user's e-mail. The one with the name comes first. */
export function findAccountsForSignIn(db: Db | Tx, nameOrEmail: string): Promise<(AccountRow & { display_name: string })[]> {
  return db
    .selectFrom('users')
    .select([...ACCOUNT, 'display_name'])
    .where((eb) =>
      eb.or([
        eb(folded(eb.ref('username')), '=', foldedText(nameOrEmail)),
        // A literal, not a parameter: only then does Postgres use the partial index on e-mails.
        eb.and([sql<boolean>`email <> ''`, eb(sql<string>`lower(email)`, '=', nameOrEmail.toLowerCase())]),
      ]),
    )
    .where('deleted_at', 'is', null)
    .orderBy((eb) => eb(folded(eb.ref('username')), '=', foldedText(nameOrEmail)), 'desc')
    .limit(2)
    .execute()
}

/** The account, unless deleted, that has this address. */
export function findAccountByEmail(db: Db | Tx, email: string): Promise<AccountRow | undefined> {
  return (
    db
      .selectFrom('users')
      .select(ACCOUNT)
      // A literal, not a parameter: only then does Postgres use the partial index on e-mails.
      .where(sql<boolean>`email <> ''`)
      .where(sql<string>`lower(email)`, '=', email.toLowerCase())
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
  )
}

/** True if a user, deleted or not, has this name or one that differs only in case or form: names stay reserved. */
export async function isUsernameTaken(db: Db | Tx, { username, except }: { username: string; except: number }): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where((eb) => eb(folded(eb.ref('username')), '=', foldedText(username)))
    .where('id', '<>', except)
    .executeTakeFirst()
  return row !== undefined
}

/** True if a deleted account has this address. */
export async function hadAccount(tx: Tx, { email }: { readonly email: string }): Promise<boolean> {
  if (email === '') return false
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.toLowerCase()))
    .where('email', '<>', '')
    .where('deleted_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export type NewUser = {
  readonly username: string
  readonly password_hash: string
  readonly display_name: string
  readonly role: number
  readonly group: string
  readonly aff_code: string
  readonly email?: string
  /** The account whose invite code was used; 0: none. */
  readonly inviter_id?: number
  /** Language of mails and notices. */
  readonly language?: Language
  /** Number of ledger shards; the user's shard is id modulo shards and never changes. */
  readonly shards: number
  readonly now: UnixSeconds
}

/** Creates a user with an empty wallet; money is added by wallet entries only. */
export async function createUser(tx: Tx, user: NewUser): Promise<number> {
  const { id } = await tx
    .with('next', (db) => db.selectNoFrom(sql<number>`nextval(pg_get_serial_sequence('users', 'id'))`.as('id')))
    .insertInto('users')
    .columns([
      'id',
      'shard',
      'username',
      'password_hash',
      'display_name',
      'role',
      'group',
      'aff_code',
      'created_at',
      'status',
      'email',
      'inviter_id',
      'language',
    ])
    .expression((eb) =>
      eb
        .selectFrom('next')
        .select([
          'next.id',
          sql<number>`(next.id % ${user.shards}::bigint)::int`.as('shard'),
          sql<string>`${user.username}::text`.as('username'),
          sql<string>`${user.password_hash}::text`.as('password_hash'),
          sql<string>`${user.display_name}::text`.as('display_name'),
          sql<number>`${user.role}::int`.as('role'),
          sql<string>`${user.group}::text`.as('group'),
          sql<string>`${user.aff_code}::text`.as('aff_code'),
          sql<number>`${user.now}::bigint`.as('created_at'),
          sql<number>`${UserStatus.enabled}::int`.as('status'),
          sql<string>`${user.email ?? ''}::text`.as('email'),
          sql<number>`${user.inviter_id ?? 0}::bigint`.as('inviter_id'),
          sql<Language>`${user.language ?? 'zh'}::text`.as('language'),
        ]),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export type UserPatch = {
  readonly username?: string
  readonly display_name?: string
  readonly password_hash?: string
  readonly role?: number
  readonly status?: number
  readonly group?: string
  readonly email?: string
  readonly github_id?: string
  readonly oidc_id?: string
  readonly linux_do_id?: string
  readonly wechat_id?: string
  readonly telegram_id?: string
  readonly setting?: string
  readonly language?: Language
  readonly limits?: Limits | null
}

/**
 * Updates the given fields. A new password also deletes the system access token, which would otherwise outlive a theft. A change of name, role, status, group, setting or limits affects relays: it raises the wallet's version and
 * auth_version, and the caller adds an outbox row.
 */
export async function updateUser(tx: Tx, { id, patch }: { id: number; patch: UserPatch }): Promise<boolean> {
  if (Object.keys(patch).length === 0) return true
  const { limits, ...plain } = patch
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({
      ...plain,
      ...(limits === undefined ? {} : { limits: limits === null ? null : toJsonb(limits) }),
      ...(plain.password_hash === undefined ? {} : { access_token_hash: null }),
    })
    .$if(affectsRelays(patch), (query) =>
      query.set((eb) => ({ auth_version: eb('auth_version', '+', 1), wallet_version: eb('wallet_version', '+', 1) })),
    )
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Raises the versions of a user whose budgets have changed, so that relays identify the tokens again. */
export async function touchUser(tx: Tx, id: number): Promise<void> {
  await tx
    .updateTable('users')
    .set((eb) => ({ auth_version: eb('auth_version', '+', 1), wallet_version: eb('wallet_version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** True if the patch changes a field that relays cache. */
export function affectsRelays(patch: UserPatch): boolean {
  return [patch.username, patch.role, patch.status, patch.group, patch.setting, patch.limits].some((value) => value !== undefined)
}

/** True if the user has a system access token. */
export async function hasAccessToken(db: Db | Tx, id: number): Promise<boolean> {
  const row = await db.selectFrom('users').select('id').where('id', '=', id).where('access_token_hash', 'is not', null).executeTakeFirst()
  return row !== undefined
}

/** Replaces a user's system access token; undefined deletes it. */
export async function setAccessTokenHash(db: Db | Tx, { id, hash }: { id: number; hash: string | undefined }): Promise<void> {
  await db
    .updateTable('users')
    .set({ access_token_hash: hash ?? null })
    .where('id', '=', id)
    .execute()
}

/** Stores a new hash of the same password, unless the password was changed meanwhile. */
export async function replacePasswordHash(db: Db | Tx, { id, from, to }: { id: number; from: string; to: string }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ password_hash: to })
    .where('id', '=', id)
    .where('password_hash', '=', from)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The language of mails to an account. */
export async function findLanguage(db: Db | Tx, id: number): Promise<Language> {
  const row = await db.selectFrom('users').select('language').where('id', '=', id).executeTakeFirst()
  return row?.language ?? 'en'
}
