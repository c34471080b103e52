import { sql, type Selectable } from 'kysely'
import { RedemptionStatus } from '@tollgate/contracts/enums'
import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'
import { escapeLike } from '../../like.ts'
import type { Database } from '../../schema.ts'

type Redemptions = Selectable<Database['redemptions']>

const SHOWN = [
  'id',
  'user_id',
  'key_hash',
  'key_sealed',
  'status',
  'name',
  'quota',
  'created_time',
  'redeemed_time',
  'expired_time',
  'used_user_id',
] as const satisfies readonly (keyof Redemptions)[]
export type RedemptionRow = Pick<Redemptions, (typeof SHOWN)[number]>

type Page = { readonly limit: number; readonly offset: number }

/** One page of codes, newest first, and how many match: by the start of the name, or by id. */
export async function listRedemptions(
  db: Db | Tx,
  { keyword, limit, offset }: Page & { readonly keyword: string },
): Promise<{ items: RedemptionRow[]; total: number }> {
  const items = await select(db, keyword).select(SHOWN).orderBy('id', 'desc').limit(limit).offset(offset).execute()
  const { total } = await select(db, keyword)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { items, total }
}

function select(db: Db | Tx, keyword: string) {
  const id = /^\d{1,15}$/.test(keyword) ? Number(keyword) : undefined
  return db
    .selectFrom('redemptions')
    .where('deleted_at', 'is', null)
    .$if(keyword !== '', (query) =>
      query.where((eb) => eb.or([eb('name', 'like', `${escapeLike(keyword)}%`), ...(id === undefined ? [] : [eb('id', '=', id)])])),
    )
}

export function findRedemption(db: Db | Tx, id: number): Promise<RedemptionRow | undefined> {
  return db.selectFrom('redemptions').select(SHOWN).where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst()
}

/** The same row, locked until the transaction ends. */
export function lockRedemption(tx: Tx, id: number): Promise<RedemptionRow | undefined> {
  return tx.selectFrom('redemptions').select(SHOWN).where('id', '=', id).where('deleted_at', 'is', null).forUpdate().executeTakeFirst()
}

export type NewRedemption = Pick<Redemptions, 'user_id' | 'key_hash' | 'key_sealed' | 'name' | 'quota' | 'created_time'> & {
  readonly expired_time?: UnixSeconds
}

export async function createRedemptions(tx: Tx, codes: readonly NewRedemption[]): Promise<number[]> {
  const rows = await tx
    .insertInto('redemptions')
    .values([...codes])
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

export type RedemptionPatch = {
  readonly name?: string
  readonly quota?: Quota
  readonly status?: number
  readonly expired_time?: UnixSeconds
}

export async function updateRedemption(tx: Tx, { id, patch }: { id: number; patch: RedemptionPatch }): Promise<void> {
  if (Object.keys(patch).length === 0) return
  await tx.updateTable('redemptions').set(patch).where('id', '=', id).execute()
}

export async function removeRedemption(tx: Tx, id: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('redemptions')
    .set({ deleted_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export type UsedCode = { readonly id: number; readonly quota: Quota; readonly name: string }

/**
 * Marks an unused code that has not ended as used by this user. One conditional update, so that of any number of parallel calls on any number of control
 * planes exactly one gets the code.
 */
export function takeRedemption(
  tx: Tx,
  { key_hash, user_id, now }: { key_hash: string; user_id: number; now: UnixSeconds },
): Promise<UsedCode | undefined> {
  return tx
    .updateTable('redemptions')
    .set({ status: RedemptionStatus.used, redeemed_time: now, used_user_id: user_id })
    .where('key_hash', '=', key_hash)
    .where('status', '=', RedemptionStatus.unused)
    .where((eb) => eb.or([eb('expired_time', '=', 0), eb('expired_time', '>', now)]))
    .where('deleted_at', 'is', null)
    .returning(['id', 'quota', 'name'])
    .executeTakeFirst()
}

/** The code with this hash, used and disabled ones included. */
export function findCode(db: Db | Tx, keyHash: string): Promise<Pick<RedemptionRow, 'status' | 'expired_time'> | undefined> {
  return db
    .selectFrom('redemptions')
    .select(['status', 'expired_time'])
    .where('key_hash', '=', keyHash)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}
