import type { PriceChange, PriceChangeState } from '@tollgate/contracts/resources/prices'
import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'
import { toJsonb } from '../../jsonb.ts'

const COLUMNS = ['id', 'state', 'at', 'patch', 'created_by', 'created_at', 'finished_at', 'price_version', 'message'] as const

/** Who scheduled a change; its audit entries name them. */
type Creator = { readonly creator_id: number; readonly creator_role: number; readonly ip: string }
type NewChange = Pick<PriceChange, 'at' | 'patch' | 'created_by' | 'created_at'> & Creator

export async function createPriceChange(tx: Tx, { patch, ...change }: NewChange): Promise<PriceChange> {
  return await tx
    .insertInto('price_changes')
    .values({ ...change, patch: toJsonb(patch) })
    .returning(COLUMNS)
    .$narrowType<{ state: PriceChangeState }>()
    .executeTakeFirstOrThrow()
}

/** Waiting changes in the order in which they take effect, then the latest finished ones. */
export async function listPriceChanges(db: Db, finished: number): Promise<PriceChange[]> {
  const all = db.selectFrom('price_changes').select(COLUMNS).$narrowType<{ state: PriceChangeState }>()
  return [
    ...(await all.where('state', '=', 'waiting').orderBy('at').orderBy('id').execute()),
    ...(await all.where('state', '<>', 'waiting').orderBy('finished_at', 'desc').orderBy('id', 'desc').limit(finished).execute()),
  ]
}

/** The first waiting change whose time has come, locked; undefined when there is none, or another worker has it. */
export async function lockDuePriceChange(tx: Tx, now: UnixSeconds): Promise<(PriceChange & Creator) | undefined> {
  return await tx
    .selectFrom('price_changes')
    .select([...COLUMNS, 'creator_id', 'creator_role', 'ip'])
    .$narrowType<{ state: PriceChangeState }>()
    .where('state', '=', 'waiting')
    .where('at', '<=', now)
    .orderBy('at')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

type Ending = {
  readonly state: Exclude<PriceChangeState, 'waiting'>
  readonly finished_at: UnixSeconds
  readonly price_version?: number
  readonly message?: string
}

/** Ends a change that waits; false when it does not. */
export async function finishPriceChange(tx: Tx, id: number, ending: Ending): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('price_changes')
    .set(ending)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
