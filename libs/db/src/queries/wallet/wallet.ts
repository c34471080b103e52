import type { WalletEntryKind } from '@tollgate/contracts/enums'
import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'
import { windowsOfToken, windowsOfWallet, type LoadedWindow } from '../tokens/budgets.ts'
import { appendOutbox } from './outbox.ts'

export type NewWalletEntry = {
  readonly user_id: number
  readonly kind: WalletEntryKind
  readonly amount: Quota
  /** Unique with `kind`: the same reference is booked once. */
  readonly reference: string
  readonly actor_id: number
  readonly note: string
  readonly now: UnixSeconds
}

/** Adds an entry; undefined when the same kind and reference exist already. */
export async function createWalletEntry(tx: Tx, entry: NewWalletEntry): Promise<number | undefined> {
  const row = await tx
    .insertInto('wallet_entries')
    .values({
      user_id: entry.user_id,
      kind: entry.kind,
      amount: entry.amount,
      reference: entry.reference,
      actor_id: entry.actor_id,
      note: entry.note,
      created_at: entry.now,
    })
    .onConflict((conflict) => conflict.columns(['kind', 'reference']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Adds to the credited sum of a user and raises the wallet's version; false when the user does not exist. */
export async function addCredited(tx: Tx, { user_id, amount }: { user_id: number; amount: Quota }): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set((eb) => ({ credited: eb('credited', '+', amount), wallet_version: eb('wallet_version', '+', 1) }))
    .where('id', '=', user_id)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Adds to what failed tasks gave back, which `credited` includes. */
export async function addRefunded(tx: Tx, { user_id, amount }: { user_id: number; amount: Quota }): Promise<void> {
  await tx
    .updateTable('users')
    .set((eb) => ({ refunded: eb('refunded', '+', amount) }))
    .where('id', '=', user_id)
    .execute()
}

/** The values that Redis' `w:` must agree with. */
export type WalletState = {
  readonly user_id: number
  readonly shard: number
  /** Number of the shard's last event that `spent` includes, read in the same statement. */
  readonly posted_n: number
  readonly credited: Quota
  readonly spent: Quota
  readonly version: number
  readonly auth: number
  readonly budgets: readonly LoadedWindow[]
}

/** Wallets of these users, including deleted ones: their open requests still settle. */
export async function listWalletStates(db: Db | Tx, userIds: readonly number[]): Promise<WalletState[]> {
  const rows = await db
    .selectFrom('users as u')
    .innerJoin('posting_cursors as c', 'c.shard', 'u.shard')
    .select([
      'u.id as user_id',
      'u.shard',
      'c.last_n as posted_n',
      'u.credited',
      'u.spent',
      'u.wallet_version as version',
      'u.auth_version as auth',
    ])
    .select(windowsOfWallet().as('budgets'))
    .where('u.id', 'in', userIds)
    .orderBy('u.id')
    .execute()
  return rows.map((row) => ({ ...row, budgets: row.budgets ?? [] }))
}

/** The values that Redis' `t:` must agree with. */
export type TokenState = {
  readonly token_id: number
  readonly user_id: number
  readonly shard: number
  /** Number of the shard's last event that `charged` includes, read in the same statement. */
  readonly posted_n: number
  readonly granted: Quota
  readonly charged: Quota
  readonly is_limited: boolean
  readonly version: number
  readonly auth: number
  readonly budgets: readonly LoadedWindow[]
}

/** Tokens with the shard of their user, including deleted tokens. */
export async function listTokenStates(db: Db | Tx, tokenIds: readonly number[]): Promise<TokenState[]> {
  const rows = await db
    .selectFrom('tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .innerJoin('posting_cursors as c', 'c.shard', 'u.shard')
    .select((eb) => [
      't.id as token_id',
      't.user_id',
      'u.shard',
      'c.last_n as posted_n',
      't.granted',
      't.charged',
      eb.not('t.unlimited_quota').as('is_limited'),
      't.version',
      't.auth_version as auth',
    ])
    .select(windowsOfToken().as('budgets'))
    .where('t.id', 'in', tokenIds)
    .orderBy('t.id')
    .$castTo<Omit<TokenState, 'budgets'> & { readonly budgets: LoadedWindow[] | null }>()
    .execute()
  return rows.map((row) => ({ ...row, budgets: row.budgets ?? [] }))
}

export type Credit = {
  readonly user_id: number
  readonly kind: WalletEntryKind
  /** Negative amounts are debited. */
  readonly amount: Quota
  /** Unique with `kind`: a reference is booked once, however often it is sent. */
  readonly reference: string
  /** Id of the acting user; 0: the system. */
  readonly actor: number
  readonly note?: string
  readonly now: UnixSeconds
}

/**
 * Books money that does not come from a request (docs/ledger.md), in the transaction of its cause. Call `syncChanged` after
 * commit, or leave it to the outbox. `known`: this reference was booked before and nothing changed.
 */
export async function creditWallet(tx: Tx, credit: Credit): Promise<'booked' | 'known'> {
  const { user_id, kind, amount, reference, actor, note = '', now } = credit
  const entry = await createWalletEntry(tx, { user_id, kind, amount, reference, actor_id: actor, note, now })
  if (entry === undefined) return 'known'
  if (!(await addCredited(tx, { user_id, amount }))) throw new Error(`wallet entry for user ${user_id}, who does not exist`)
  await appendOutbox(tx, { subject: 'user', subject_id: user_id, now })
  return 'booked'
}
