import { sql, type ExpressionBuilder, type Selectable } from 'kysely'
import type { Limits } from '@tollgate/contracts/relay/limits'
import type { BudgetRule } from '@tollgate/contracts/pricing/budgets'
import { rulesOfToken } from './budgets.ts'
import { TokenStatus, type TokenGrantKind } from '@tollgate/contracts/enums'
import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'
import type { Database } from '../../schema.ts'
import { toJsonb } from '../../jsonb.ts'
import { escapeLike } from '../../like.ts'

type Tokens = Selectable<Database['tokens']>

export const SHOWN_OF_TOKEN = [
  'id',
  'user_id',
  'name',
  'key_hash',
  'key_sealed',
  'status',
  'created_time',
  'accessed_time',
  'expired_time',
  'granted',
  'charged',
  'used_quota',
  'unlimited_quota',
  'model_limits_enabled',
  'model_limits',
  'allow_ips',
  'group',
  'version',
  'limits',
  'cross_group_retry',
  'project_id',
  'created_by',
  'fallback_models',
  'telemetry_content',
  'receipt_hashes',
] as const satisfies readonly (keyof Tokens)[]
export type TokenRow = Pick<Tokens, (typeof SHOWN_OF_TOKEN)[number]>

type Owned = { readonly id: number; readonly user_id: number }

/** One page of a user's tokens, newest first. The page is selected by an index-only scan, then its rows are read. */
export function listTokens(db: Db | Tx, page: { user_id: number; limit: number; offset: number }): Promise<TokenRow[]> {
  return selectRows(db, selectIds(db, page.user_id).limit(page.limit).offset(page.offset))
}

export async function countTokens(db: Db | Tx, user_id: number): Promise<number> {
  const { total } = await db
    .selectFrom('tokens')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('user_id', '=', user_id)
    .where('deleted_at', 'is', null)
    .where(isListed)
    .executeTakeFirstOrThrow()
  return total
}

export type TokenSearch = {
  readonly user_id: number
  /** Part of the name, with literal wildcards. Empty: no filter. */
  readonly keyword: string
  /** The first and last (up to four) characters of a key or of an end of one. undefined: no filter. */
  readonly key: { readonly head: string; readonly tail: string } | undefined
  readonly limit: number
}

/** Tokens by part of their name and by the head or tail of their key. */
export function searchTokens(db: Db | Tx, { user_id, keyword, key, limit }: TokenSearch): Promise<TokenRow[]> {
  const found = selectIds(db, user_id)
    .$if(keyword !== '', (query) => query.where('name', 'ilike', `%${escapeLike(keyword)}%`))
    .$if(key !== undefined, (query) =>
      query.where((eb) =>
        eb.or([eb('key_head', 'like', `${escapeLike(key?.head ?? '')}%`), eb('key_tail', 'like', `%${escapeLike(key?.tail ?? '')}`)]),
      ),
    )
  return selectRows(db, found.limit(limit))
}

function selectIds(db: Db | Tx, userId: number) {
  return db
    .selectFrom('tokens')
    .select('id')
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .where(isListed)
    .orderBy('id', 'desc')
}

/** Tokens of the user, not of the console itself. */
export const isListed = (eb: ExpressionBuilder<Database, 'tokens'>) =>
  eb.and([eb.not(eb.ref('is_internal')), eb('internal_for', 'is', null)])

function selectRows(db: Db | Tx, ids: ReturnType<typeof selectIds>): Promise<TokenRow[]> {
  return db.selectFrom('tokens').select(SHOWN_OF_TOKEN).where('id', 'in', ids).orderBy('id', 'desc').execute()
}

export function findToken(db: Db | Tx, owned: Owned): Promise<TokenRow | undefined> {
  return selectOwned(db, owned).executeTakeFirst()
}

/** The same row, locked until the transaction ends, so that an edit is validated against the row it changes. */
export function lockToken(tx: Tx, owned: Owned): Promise<TokenRow | undefined> {
  return selectOwned(tx, owned).forUpdate().executeTakeFirst()
}

function selectOwned(db: Db | Tx, { id, user_id }: Owned) {
  return db
    .selectFrom('tokens')
    .select(SHOWN_OF_TOKEN)
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .where('deleted_at', 'is', null)
    .where(isListed)
}

/** The fields that an edit may set; quota changes through grants. */
export type TokenFields = Pick<
  Tokens,
  'name' | 'expired_time' | 'unlimited_quota' | 'model_limits_enabled' | 'model_limits' | 'allow_ips' | 'group'
> & {
  readonly limits?: Limits | null
  readonly cross_group_retry?: boolean
  readonly fallback_models?: string | null
  readonly telemetry_content?: boolean
  readonly receipt_hashes?: boolean
  readonly project_id?: number | null
}

/** The sealed key of a token that was not deleted. */
export function findTokenKey(db: Db, id: number): Promise<Pick<TokenRow, 'key_hash' | 'key_sealed'> | undefined> {
  return db.selectFrom('tokens').select(['key_hash', 'key_sealed']).where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst()
}

export type NewToken = TokenFields &
  Pick<Tokens, 'user_id' | 'key_hash' | 'key_sealed' | 'key_head' | 'key_tail' | 'created_time'> & { readonly created_by?: number | null }

/** Creates a token without quota; its first grant adds it. */
export async function createToken(tx: Tx, token: NewToken): Promise<number> {
  const { id } = await tx
    .insertInto('tokens')
    .values({ ...token, limits: toColumn(token.limits ?? null), accessed_time: token.created_time, status: TokenStatus.enabled })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Whose playground it is: a user's, or that of a member of an organisation. */
type Internal = { readonly user_id: number; readonly group: string; readonly internal_for?: number | undefined }

/** The console's own token of a user in a group, with which the playground calls models. */
export function findInternalToken(
  db: Db | Tx,
  { user_id, group, internal_for }: Internal,
): Promise<Pick<TokenRow, 'id' | 'key_hash' | 'key_sealed'> | undefined> {
  return db
    .selectFrom('tokens')
    .select(['id', 'key_hash', 'key_sealed'])
    .where('user_id', '=', user_id)
    .where('group', '=', group)
    .where((eb) => (internal_for === undefined ? eb('is_internal', '=', true) : eb('internal_for', '=', internal_for)))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Creates it; another call that does the same at the same time changes nothing. */
export async function createInternalToken(db: Db | Tx, token: NewToken & Internal): Promise<void> {
  const row = { ...token, limits: null, accessed_time: token.created_time, status: TokenStatus.enabled }
  if (token.internal_for === undefined)
    await db
      .insertInto('tokens')
      .values({ ...row, is_internal: true })
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'group']).where('is_internal', '=', true).where('deleted_at', 'is', null).doNothing(),
      )
      .execute()
  else
    await db
      .insertInto('tokens')
      .values({ ...row, created_by: token.internal_for })
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'group', 'internal_for'])
          .where('internal_for', 'is not', null)
          .where('deleted_at', 'is', null)
          .doNothing(),
      )
      .execute()
}

/** Updates the given fields and raises `version` and `auth_version`, so that relays identify the token again. */
export async function updateToken(
  tx: Tx,
  { id, user_id, patch }: Owned & { patch: Partial<TokenFields & Pick<Tokens, 'status'>> },
): Promise<boolean> {
  const { limits, ...plain } = patch
  const { numUpdatedRows } = await tx
    .updateTable('tokens')
    .set({ ...plain, ...(limits === undefined ? {} : { limits: toColumn(limits) }), ...sinceNow(plain.project_id) })
    .set((eb) => ({ version: eb('version', '+', 1), auth_version: eb('auth_version', '+', 1) }))
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .where('deleted_at', 'is', null)
    .where(isListed)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The owner of a token that is not deleted. */
export function findTokenOwner(db: Db | Tx, id: number): Promise<{ user_id: number; name: string } | undefined> {
  return db.selectFrom('tokens').select(['user_id', 'name']).where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst()
}

export async function listTokenNames(db: Db | Tx, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('tokens').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Raises the versions of a token whose budgets have changed, so that relays identify it again. */
export async function touchToken(tx: Tx, id: number): Promise<void> {
  await tx
    .updateTable('tokens')
    .set((eb) => ({ version: eb('version', '+', 1), auth_version: eb('auth_version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** When a token came into its project; budgets of the project that were set before do not count its earlier charges. */
export const sinceNow = (project_id: number | null | undefined) =>
  project_id === undefined
    ? {}
    : {
        project_since: sql<number | null>`case when project_id is distinct from ${project_id}::bigint
          then extract(epoch from now())::bigint else project_since end`,
      }

function toColumn(limits: Limits | null) {
  return limits === null ? null : toJsonb(limits)
}

/** Deletes a token; its row stays for its charges. */
export async function removeToken(tx: Tx, { id, user_id }: Owned): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('tokens')
    .set((eb) => ({
      status: TokenStatus.disabled,
      deleted_at: sql<Date>`now()`,
      version: eb('version', '+', 1),
      auth_version: eb('auth_version', '+', 1),
    }))
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .where('deleted_at', 'is', null)
    .where(isListed)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export type NewTokenGrant = {
  readonly token_id: number
  readonly kind: TokenGrantKind
  readonly amount: Quota
  /** Unique with `kind`: the same reference is granted once. */
  readonly reference: string
  readonly actor_id: number
  readonly now: UnixSeconds
}

/** Adds a grant; false when the same kind and reference exist already. */
export async function createTokenGrant(tx: Tx, grant: NewTokenGrant): Promise<boolean> {
  const row = await tx
    .insertInto('token_grants')
    .values({
      token_id: grant.token_id,
      kind: grant.kind,
      amount: grant.amount,
      reference: grant.reference,
      actor_id: grant.actor_id,
      created_at: grant.now,
    })
    .onConflict((conflict) => conflict.columns(['kind', 'reference']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Adds to the granted sum of a token and raises its version. */
export async function addGranted(tx: Tx, { token_id, amount }: { token_id: number; amount: Quota }): Promise<void> {
  await tx
    .updateTable('tokens')
    .set((eb) => ({ granted: eb('granted', '+', amount), version: eb('version', '+', 1) }))
    .where('id', '=', token_id)
    .execute()
}

/** The data of a token and its user that `identify` needs; includes deleted ones, marked as such. */
export type TokenOwnerRow = Pick<
  Tokens,
  | 'key_hash'
  | 'name'
  | 'status'
  | 'expired_time'
  | 'unlimited_quota'
  | 'group'
  | 'model_limits_enabled'
  | 'model_limits'
  | 'allow_ips'
  | 'limits'
  | 'cross_group_retry'
  | 'fallback_models'
  | 'telemetry_content'
  | 'receipt_hashes'
> & {
  readonly token_id: number
  readonly user_id: number
  readonly token_auth: number
  readonly token_deleted_at: Date | null
  readonly shard: number
  readonly user_auth: number
  readonly username: string
  readonly user_status: number
  readonly user_deleted_at: Date | null
  readonly role: number
  readonly user_group: string
  readonly setting: string
  readonly user_limits: Limits | null
  /** The budgets of the token and its user; null: none. */
  readonly budgets: BudgetRule[] | null
}

export function listTokenOwnersByKeyHash(db: Db | Tx, keyHashes: readonly string[]): Promise<TokenOwnerRow[]> {
  return selectTokenOwners(db).where('t.key_hash', 'in', keyHashes).execute()
}

/** All tokens of a user whose cached records must be rewritten; deleted ones already were. */
export function listTokenOwnersOfUser(db: Db | Tx, userId: number): Promise<TokenOwnerRow[]> {
  return selectTokenOwners(db).where('t.user_id', '=', userId).where('t.deleted_at', 'is', null).orderBy('t.id').execute()
}

export function listTokenOwnersById(db: Db | Tx, tokenIds: readonly number[]): Promise<TokenOwnerRow[]> {
  return selectTokenOwners(db).where('t.id', 'in', tokenIds).execute()
}

function selectTokenOwners(db: Db | Tx) {
  return db
    .selectFrom('tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select([
      't.id as token_id',
      't.user_id',
      't.key_hash',
      't.name',
      't.status',
      't.expired_time',
      't.unlimited_quota',
      't.group',
      't.model_limits_enabled',
      't.model_limits',
      't.allow_ips',
      't.limits',
      't.cross_group_retry',
      't.fallback_models',
      't.telemetry_content',
      't.receipt_hashes',
      't.auth_version as token_auth',
      't.deleted_at as token_deleted_at',
      'u.shard',
      'u.auth_version as user_auth',
      'u.username',
      'u.status as user_status',
      'u.deleted_at as user_deleted_at',
      'u.role',
      'u.group as user_group',
      'u.setting',
      'u.limits as user_limits',
    ])
    .select(rulesOfToken().as('budgets'))
}
