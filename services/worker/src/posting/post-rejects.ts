import type { Db, Tx } from '@tollgate/db/connect'
import { limitLockWait } from '@tollgate/db/lock-timeout'
import { withStatements } from '@tollgate/db/statement-limits'
import { listPostingRejects, lockFreePostingCursors, removePostingRejects, type StoredReject } from '@tollgate/db/queries/ledger/posting'
import { addBalanceCorrections } from '@tollgate/db/queries/wallet/balance-corrections'
import { accountsOf, LOCK_WAIT_MS, postEvents } from './post-batch.ts'
import { decodeStored, type PostedEvent } from './posted-event.ts'

const ROWS_AT_ONCE = 200

type RejectsDeps = { readonly db: Db; readonly log: { info(details: object, text: string): void } }

/**
 * Posts usage events that an older release could not decode, as while relays of the next one ran beside its workers; returns how many.
 * Those that cannot be decoded now either stay. Idempotent.
 */
export async function postRejects({ db, log }: RejectsDeps, signal?: AbortSignal): Promise<number> {
  let posted = 0
  for (let after = 0; signal?.aborted !== true;) {
    const rows = await listPostingRejects(db, { after, limit: ROWS_AT_ONCE })
    const last = rows.at(-1)
    if (last === undefined) break
    posted += await withStatements('posting', () => db.transaction().execute((tx) => postRows(tx, rows)))
    after = last.id
  }
  if (posted > 0) log.info({ count: posted }, 'Usage events that an older release could not decode were posted')
  return posted
}

async function postRows(tx: Tx, rows: readonly StoredReject[]): Promise<number> {
  const known = rows.flatMap((row) => {
    const event = decodeStored(row)
    return event === undefined ? [] : [{ row, event }]
  })
  if (known.length === 0) return 0
  await limitLockWait(tx, LOCK_WAIT_MS)
  // A shard that is posted elsewhere, or is under repair, has its turn later.
  const cursors = (await lockFreePostingCursors(tx, [...new Set(known.map(({ row }) => row.shard))])).filter((cursor) => !cursor.is_suspect)
  const free = new Map(cursors.map((cursor) => [cursor.shard, cursor]))
  const ready = known.filter(({ row }) => free.has(row.shard))
  const removed = await removePostingRejects(
    tx,
    ready.map(({ row }) => row.id),
  )
  // Another process was faster with the others.
  const events = ready.flatMap(({ row, event }) => (removed.has(row.id) ? [event] : []))
  await postEvents(tx, events)
  await correctBalances(tx, events, (shard) => free.get(shard)?.last_n ?? 0)
  return events.length
}

/** Redis may have loaded an account meanwhile, without these charges. */
async function correctBalances(tx: Tx, events: readonly PostedEvent[], lastOf: (shard: number) => number): Promise<void> {
  for (const [shard, own] of Map.groupBy(events, (event) => event.shard)) {
    await addBalanceCorrections(tx, { shard, n: lastOf(shard), accounts: accountsOf(own) })
  }
}
