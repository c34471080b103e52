import { sql } from 'kysely'
import type { Limits } from '@tollgate/contracts/relay/limits'
import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import { columnsOf, tableOf, toArray, type ColumnTypes } from '../../columns.ts'
import type { Db, Tx } from '../../connect.ts'
import { toJsonb } from '../../jsonb.ts'

/** The values of an account that no other may have. */
export type Claimed = {
  readonly username: string
  readonly email: string
  readonly github_id: string
  readonly oidc_id: string
  readonly wechat_id: string
  readonly telegram_id: string
  readonly linux_do_id: string
  readonly access_token_hash: string
  readonly aff_code: string
}

const CLAIMS: ColumnTypes<Claimed> = {
  username: 'text',
  email: 'text',
  github_id: 'text',
  oidc_id: 'text',
  wechat_id: 'text',
  telegram_id: 'text',
  linux_do_id: 'text',
  access_token_hash: 'text',
  aff_code: 'text',
}

export type Clash = {
  /** The name as the index compares it. */
  readonly folded: string
  /** The account that has this name, and its role. */
  readonly id: number | null
  readonly role: number | null
  /** The other fields whose value an account has. */
  readonly taken: readonly string[]
}

const folded = (name: string) => sql.raw(`upper(lower(normalize(${name}, NFKC) collate "und-x-icu"))`)

/** For each account, in the given order, which of its values others have. */
export async function findClashes(tx: Tx, rows: readonly Claimed[]): Promise<Clash[]> {
  if (rows.length === 0) return []
  const has = (field: string, condition: string) =>
    sql.raw(`case when x.${field} <> '' and exists (select from users o where ${condition}) then '${field} ' else '' end`)
  const same = (field: string) => has(field, `o.${field} = x.${field} and o.${field} <> ''`)
  const { rows: found } = await sql<{ folded: string; id: number | null; role: number | null; taken: string }>`
    select ${folded('x.username')} as folded, u.id, u.role,
      ${has('email', "lower(o.email) = lower(x.email) and o.email <> '' and o.deleted_at is null")} || ${same('github_id')} || ${same('oidc_id')}
      || ${same('wechat_id')} || ${same('telegram_id')} || ${same('linux_do_id')} || ${has('access_token_hash', 'o.access_token_hash = x.access_token_hash')}
      || ${has('aff_code', 'o.aff_code = x.aff_code')} as taken
    from (select *, row_number() over () as n from ${tableOf(rows, CLAIMS)}) x
    left join users u on ${folded('u.username')} = ${folded('x.username')}
    order by x.n`.execute(tx)
  return found.map(({ taken, ...rest }) => ({ ...rest, taken: taken.split(' ').filter((field) => field !== '') }))
}

export type CarriedUser = {
  readonly id: number
  readonly shard: number
  readonly username: string
  readonly password_hash: string
  readonly display_name: string
  readonly role: number
  readonly status: number
  readonly email: string
  readonly github_id: string
  readonly oidc_id: string
  readonly wechat_id: string
  readonly telegram_id: string
  readonly linux_do_id: string
  readonly access_token_hash: string | null
  readonly group: string
  readonly credited: Quota
  readonly spent: Quota
  readonly request_count: number
  readonly aff_code: string
  readonly setting: string
  readonly language: string
  readonly limits: Limits | null
  readonly created_at: UnixSeconds
  readonly is_deleted: boolean
}

const USER_COLUMNS: ColumnTypes<Omit<CarriedUser, 'is_deleted'>> = {
  id: 'bigint',
  shard: 'int',
  username: 'text',
  password_hash: 'text',
  display_name: 'text',
  role: 'int',
  status: 'int',
  email: 'text',
  github_id: 'text',
  oidc_id: 'text',
  wechat_id: 'text',
  telegram_id: 'text',
  linux_do_id: 'text',
  access_token_hash: 'text',
  group: 'text',
  credited: 'bigint',
  spent: 'bigint',
  request_count: 'bigint',
  aff_code: 'text',
  setting: 'text',
  language: 'text',
  limits: 'jsonb',
  created_at: 'bigint',
}

/** Accounts with their sums; the caller writes the wallet entries and the use that these are the sums of. */
export async function insertCarriedUsers(tx: Tx, users: readonly CarriedUser[]): Promise<void> {
  if (users.length === 0) return
  const types: ColumnTypes<CarriedUser> = { ...USER_COLUMNS, is_deleted: 'boolean' }
  await sql`
    insert into users (${columnsOf(USER_COLUMNS)}, deleted_at)
    select ${columnsOf(USER_COLUMNS)}, case when is_deleted then now() end from ${tableOf(users, types)}`.execute(tx)
}

export type CarriedEntry = {
  readonly user_id: number
  readonly kind: string
  readonly amount: Quota
  readonly reference: string
  readonly note: string
  readonly created_at: UnixSeconds
}

const ENTRY_COLUMNS: ColumnTypes<CarriedEntry> = {
  user_id: 'bigint',
  kind: 'text',
  amount: 'bigint',
  reference: 'text',
  note: 'text',
  created_at: 'bigint',
}

/** Wallet entries of accounts that are inserted with their sum. */
export async function insertCarriedEntries(tx: Tx, entries: readonly CarriedEntry[]): Promise<void> {
  if (entries.length === 0) return
  await sql`insert into wallet_entries (${columnsOf(ENTRY_COLUMNS)}) select * from ${tableOf(entries, ENTRY_COLUMNS)}`.execute(tx)
}

export type CarriedToken = {
  readonly id: number
  readonly user_id: number
  readonly name: string
  readonly key_hash: string
  readonly key_sealed: string
  readonly key_head: string
  readonly key_tail: string
  readonly status: number
  readonly created_time: UnixSeconds
  readonly accessed_time: UnixSeconds
  readonly expired_time: UnixSeconds
  readonly granted: Quota
  readonly charged: Quota
  readonly used_quota: Quota
  readonly unlimited_quota: boolean
  readonly model_limits_enabled: boolean
  readonly model_limits: string
  readonly allow_ips: string
  readonly group: string
  readonly cross_group_retry: boolean
  readonly limits: Limits | null
  readonly is_deleted: boolean
}

const TOKEN_COLUMNS: ColumnTypes<Omit<CarriedToken, 'is_deleted'>> = {
  id: 'bigint',
  user_id: 'bigint',
  name: 'text',
  key_hash: 'text',
  key_sealed: 'text',
  key_head: 'text',
  key_tail: 'text',
  status: 'int',
  created_time: 'bigint',
  accessed_time: 'bigint',
  expired_time: 'bigint',
  granted: 'bigint',
  charged: 'bigint',
  used_quota: 'bigint',
  unlimited_quota: 'boolean',
  model_limits_enabled: 'boolean',
  model_limits: 'text',
  allow_ips: 'text',
  group: 'text',
  cross_group_retry: 'boolean',
  limits: 'jsonb',
}

/** Tokens with their sums, and the grants that `granted` is the sum of. */
export async function insertCarriedTokens(
  tx: Tx,
  tokens: readonly CarriedToken[],
  { referenceOf, now }: { readonly referenceOf: (token: CarriedToken) => string; readonly now: UnixSeconds },
): Promise<void> {
  if (tokens.length === 0) return
  const types: ColumnTypes<CarriedToken> = { ...TOKEN_COLUMNS, is_deleted: 'boolean' }
  await sql`
    insert into tokens (${columnsOf(TOKEN_COLUMNS)}, deleted_at)
    select ${columnsOf(TOKEN_COLUMNS)}, case when is_deleted then now() end from ${tableOf(tokens, types)}`.execute(tx)
  const grants = tokens
    .filter(({ granted }) => granted !== 0)
    .map((token) => ({ token_id: token.id, kind: 'import', amount: token.granted, reference: referenceOf(token), created_at: now }))
  if (grants.length === 0) return
  const columns: ColumnTypes<(typeof grants)[number]> = {
    token_id: 'bigint',
    kind: 'text',
    amount: 'bigint',
    reference: 'text',
    created_at: 'bigint',
  }
  await sql`insert into token_grants (${columnsOf(columns)}) select * from ${tableOf(grants, columns)}`.execute(tx)
}

/** The shards of these users. */
export async function listShards(db: Db | Tx, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; shard: number }>`select id, shard from users where id = any(${toArray(ids, 'bigint')})`.execute(
    db,
  )
  return new Map(rows.map(({ id, shard }) => [id, shard]))
}

/** Key hashes that tokens have already. */
export async function listTakenKeys(tx: Tx, hashes: readonly string[]): Promise<Set<string>> {
  if (hashes.length === 0) return new Set()
  const { rows } = await sql<{ key_hash: string }>`select key_hash from tokens where key_hash = any(${toArray(hashes, 'text')})`.execute(tx)
  return new Set(rows.map(({ key_hash }) => key_hash))
}

/** Records who invited these accounts; an account that is known to be invited stays so. */
export async function saveInvites(
  tx: Tx,
  invites: readonly { readonly invitee_id: number; readonly inviter_id: number; readonly created_at: UnixSeconds }[],
): Promise<void> {
  if (invites.length === 0) return
  const types = { invitee_id: 'bigint', inviter_id: 'bigint', created_at: 'bigint' } as const
  await sql`
    with added as (
      insert into invite_rewards (invitee_id, inviter_id, amount, created_at)
      select invitee_id, inviter_id, 0, created_at from ${tableOf(invites, types)} on conflict do nothing returning invitee_id, inviter_id
    ),
    marked as (update users u set inviter_id = a.inviter_id from added a where u.id = a.invitee_id),
    counted as (select inviter_id, count(*) as invites from added group by inviter_id)
    update users u set aff_count = u.aff_count + c.invites from counted c where u.id = c.inviter_id`.execute(tx)
}

/**
 * Adds to the earnings of an account: to those of its first invite, or to one without an account where none is known. `moved` is the part
 * that is in the wallet already, by an entry of kind `transfer`.
 */
export async function addEarnings(
  tx: Tx,
  { id, earned, moved, now }: { readonly id: number; readonly earned: Quota; readonly moved: Quota; readonly now: UnixSeconds },
): Promise<void> {
  const { rows } = await sql<{ invitee_id: number }>`
    update invite_rewards set amount = amount + ${earned}
    where invitee_id = (select invitee_id from invite_rewards where inviter_id = ${id} order by invitee_id limit 1) returning invitee_id`.execute(
    tx,
  )
  const isNew = rows.length === 0
  if (isNew)
    await sql`insert into invite_rewards (invitee_id, inviter_id, amount, created_at) values (${-id}, ${id}, ${earned}, ${now})`.execute(tx)
  await sql`
    update users set aff_history = aff_history + ${earned}, aff_quota = aff_quota + ${earned - moved}, aff_count = aff_count + ${isNew ? 1 : 0}
    where id = ${id}`.execute(tx)
}

/** Replaces the columns of tokens that a later run changed. */
export type TokenPatch = Partial<
  Pick<
    CarriedToken,
    | 'name'
    | 'status'
    | 'expired_time'
    | 'unlimited_quota'
    | 'model_limits_enabled'
    | 'model_limits'
    | 'allow_ips'
    | 'group'
    | 'cross_group_retry'
    | 'limits'
    | 'accessed_time'
  >
>

export async function updateCarriedToken(
  tx: Tx,
  { id, patch: { limits, ...patch }, is_deleted }: { id: number; patch: TokenPatch; is_deleted: boolean },
): Promise<void> {
  await tx
    .updateTable('tokens')
    .set({ ...patch, ...(is_deleted ? { deleted_at: sql<Date>`coalesce(deleted_at, now())` } : {}) })
    .set(limits === undefined ? {} : { limits: limits === null ? null : toJsonb(limits) })
    .set((eb) => ({ version: eb('version', '+', 1), auth_version: eb('auth_version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** Marks an account as deleted that its source has deleted since. */
export async function removeCarriedUser(tx: Tx, id: number): Promise<void> {
  await tx
    .updateTable('users')
    .set({ deleted_at: sql<Date>`coalesce(deleted_at, now())` })
    .set((eb) => ({ auth_version: eb('auth_version', '+', 1), wallet_version: eb('wallet_version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export async function saveCarriedCode(
  tx: Tx,
  {
    id,
    key_hash,
    key_sealed,
    ...rest
  }: {
    readonly id: number
    readonly key_hash: string
    readonly key_sealed: string
    readonly user_id: number
    readonly status: number
    readonly name: string
    readonly quota: Quota
    readonly created_time: UnixSeconds
    readonly redeemed_time: UnixSeconds
    readonly used_user_id: number
    readonly expired_time: UnixSeconds
  },
): Promise<void> {
  await tx
    .insertInto('redemptions')
    .values({ id, key_hash, key_sealed, ...rest })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(rest))
    .execute()
}

export async function saveCarriedOrder(
  tx: Tx,
  order: {
    readonly trade_no: string
    readonly user_id: number
    readonly provider: 'epay' | 'stripe'
    readonly method: string
    readonly amount: number
    readonly quota: Quota
    readonly currency: string
    readonly places: number
    readonly money: number
    readonly status: 'paid' | 'expired'
    readonly created_at: UnixSeconds
    readonly paid_at: UnixSeconds
    readonly note: string
  },
): Promise<number> {
  const { status, paid_at } = order
  const row = await tx
    .insertInto('payment_orders')
    .values({ ...order, check_at: order.created_at })
    .onConflict((conflict) => conflict.column('trade_no').doUpdateSet({ status, paid_at }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}
