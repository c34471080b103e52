import type { PriceRefresh } from '@tollgate/contracts/resources/prices'
import type { Db, Tx } from '../../connect.ts'
import { toJsonb } from '../../jsonb.ts'

const COLUMNS = ['checked_at', 'source', 'date', 'applied', 'waiting', 'message'] as const

/** The result of the latest refresh; undefined: there was none. */
export async function findPriceRefresh(db: Db): Promise<PriceRefresh | undefined> {
  return await db.selectFrom('price_refresh').select(COLUMNS).executeTakeFirst()
}

/** The catalogue's entries by model when they were last compared, locked until the transaction ends. */
export async function lockPriceBaseline(tx: Tx): Promise<Record<string, object>> {
  const row = await tx.selectFrom('price_refresh').select('baseline').forUpdate().executeTakeFirst()
  return row?.baseline ?? {}
}

export async function savePriceRefresh(tx: Tx, { applied, waiting, ...rest }: PriceRefresh, baseline: object): Promise<void> {
  const row = { ...rest, applied: toJsonb(applied), waiting: toJsonb(waiting), baseline: toJsonb(baseline) }
  await tx
    .insertInto('price_refresh')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}
