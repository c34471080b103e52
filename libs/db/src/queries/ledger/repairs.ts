import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'

/** A repair of a shard, or events that relays reported missing after its fence opened. One row per shard and epoch. */
export type RepairRow = {
  readonly shard: number
  /** Redis TIME (ms) when the fence opened. */
  readonly epoch: number
  readonly reason: string
  readonly redis_n: number
  readonly posted_n: number
  readonly restored_n: number
  /** Highest n that a relay had received before the fence opened. */
  readonly relay_n: number
  /** Numbers up to restored_n without an event in Redis or Postgres. */
  readonly missing: number
  /** Events after restored_n that relays sent again. */
  readonly resent: number
  /** Events after restored_n that were not sent again: relay_n − restored_n − resent. */
  readonly lost: number
  readonly created_at: UnixSeconds
}

type Found = Pick<RepairRow, 'shard' | 'epoch' | 'reason' | 'redis_n' | 'posted_n' | 'restored_n' | 'missing' | 'created_at'>

export async function createRepair(db: Db | Tx, found: Found): Promise<void> {
  const { shard, epoch, reason, redis_n, posted_n, restored_n, missing, created_at } = found
  await db
    .insertInto('ledger_repairs')
    .values({ shard, epoch, reason, redis_n, posted_n, restored_n, missing, created_at })
    .onConflict((conflict) => conflict.columns(['shard', 'epoch']).doNothing())
    .execute()
}

type Reported = Pick<RepairRow, 'shard' | 'epoch' | 'restored_n' | 'relay_n' | 'resent' | 'lost' | 'created_at'>

/** Stores the loss that relays reported; creates the row of a shard that opened without a repair. */
export async function recordLostEvents(db: Db | Tx, reported: Reported): Promise<void> {
  const { relay_n, resent, lost } = reported
  await db
    .insertInto('ledger_repairs')
    .values({ ...reported, reason: 'Redis came back older than relays remember', redis_n: reported.restored_n, posted_n: 0 })
    .onConflict((conflict) => conflict.columns(['shard', 'epoch']).doUpdateSet({ relay_n, resent, lost }))
    .execute()
}

/** The newest repairs, for the ledger report. */
export function listRepairs(db: Db | Tx, limit: number): Promise<RepairRow[]> {
  return db
    .selectFrom('ledger_repairs')
    .select(['shard', 'epoch', 'reason', 'redis_n', 'posted_n', 'restored_n', 'relay_n', 'missing', 'resent', 'lost', 'created_at'])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Totals of all events known to be lost with a Redis store. */
export async function countLostEvents(db: Db | Tx): Promise<{ repairs: number; missing: number; lost: number }> {
  const row = await db
    .selectFrom('ledger_repairs')
    .select((eb) => [
      eb.fn.countAll<number>().as('repairs'),
      eb.fn.coalesce(eb.cast<number>(eb.fn.sum('missing'), 'bigint'), eb.lit(0)).as('missing'),
      eb.fn.coalesce(eb.cast<number>(eb.fn.sum('lost'), 'bigint'), eb.lit(0)).as('lost'),
    ])
    .executeTakeFirstOrThrow()
  return row
}
