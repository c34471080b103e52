import type { PriceCause, PriceEdit, PriceOption } from '@tollgate/contracts/resources/prices'
import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'
import { toJsonb } from '../../jsonb.ts'

type Origin = { readonly at: UnixSeconds; readonly option: PriceOption; readonly cause: PriceCause; readonly by_name: string }
type Changed = { readonly entry: string; readonly before: unknown; readonly after: unknown }

/** One statement has room for 65 535 parameters. */
const AT_ONCE = 5000

/** Keeps what a change did to each entry, in the transaction of the change. */
export async function recordPriceHistory(tx: Tx, origin: Origin, changes: readonly Changed[]): Promise<void> {
  for (let start = 0; start < changes.length; start += AT_ONCE) {
    const rows = changes.slice(start, start + AT_ONCE).map(({ entry, before, after }) => ({
      ...origin,
      entry,
      before: jsonOf(before),
      after: jsonOf(after),
    }))
    await tx.insertInto('price_history').values(rows).execute()
  }
}

const jsonOf = (value: unknown) => (value === null || value === undefined ? null : toJsonb(value))

/** One past change: its rows share these. */
type Change = Pick<Origin, 'at' | 'cause' | 'by_name'> & { readonly entry?: string | undefined }

/** The entries that one change set, of one name or of all. */
export async function listPriceEdits(
  db: Db | Tx,
  { at, cause, by_name, entry }: Change,
): Promise<(PriceEdit & { readonly entry: string })[]> {
  const rows = db
    .selectFrom('price_history')
    .select(['option', 'entry', 'before', 'after'])
    .$narrowType<{ option: PriceOption }>()
    .where('at', '=', at)
    .where('cause', '=', cause)
    .where('by_name', '=', by_name)
    .orderBy('id')
  return await (entry === undefined ? rows : rows.where('entry', '=', entry)).execute()
}

type Past = PriceEdit & Pick<Origin, 'at' | 'cause' | 'by_name'>

/** The latest changes of the entries with this name, newest first. */
export async function listPriceHistory(db: Db, entry: string, limit: number): Promise<Past[]> {
  return await db
    .selectFrom('price_history')
    .select(['at', 'option', 'cause', 'by_name', 'before', 'after'])
    .$narrowType<{ option: PriceOption; cause: PriceCause }>()
    .where('entry', '=', entry)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
