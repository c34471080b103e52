import { sql } from 'kysely'
import type { Db, Tx } from '../../connect.ts'

const COLUMNS = ['key', 'value', 'is_sealed', 'updated_at', 'updated_by'] as const

export type OptionRow = {
  readonly key: string
  readonly value: string
  readonly is_sealed: boolean
  readonly updated_at: number
  readonly updated_by: number | null
}

/** All stored options; an option that was never saved has no row. */
export async function listOptions(db: Db | Tx): Promise<OptionRow[]> {
  return await db.selectFrom('options').select(COLUMNS).orderBy('key').execute()
}

export async function findOption(db: Db | Tx, key: string): Promise<OptionRow | undefined> {
  return await db.selectFrom('options').select(COLUMNS).where('key', '=', key).executeTakeFirst()
}

/** Lets one transaction at a time read and store an option, also one that has no row yet. */
export async function lockOption(tx: Tx, key: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('option'), hashtext(${key}))`.execute(tx)
}

type OptionInput = Omit<OptionRow, 'updated_by'> & { readonly updated_by: number }

/** Stores an option; the last write wins. */
export async function saveOption(tx: Tx, input: OptionInput): Promise<void> {
  const { key, ...rest } = input
  await tx
    .insertInto('options')
    .values({ key, ...rest })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(rest))
    .execute()
}

/** Stores options that have no row yet; those that have one stay as they are. */
export async function saveAbsentOptions(tx: Tx, inputs: readonly OptionInput[]): Promise<void> {
  await tx
    .insertInto('options')
    .values([...inputs])
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
}
