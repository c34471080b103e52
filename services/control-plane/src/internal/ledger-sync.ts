import type { Db } from '@tollgate/db/connect'
import { closeOutbox, listOpenOutbox, removeClosedOutbox, type OutboxRow, type OutboxSubject } from '@tollgate/db/queries/wallet/outbox'
import { readWithWalPosition } from '@tollgate/db/queries/ledger/wal-position'
import { listTokenOwnersById, listTokenOwnersOfUser, type TokenOwnerRow } from '@tollgate/db/queries/tokens/tokens'
import { listTokenStates, listWalletStates } from '@tollgate/db/queries/wallet/wallet'
import { createLedgerAdmin, type SyncResult } from '@tollgate/ledger/accounts/ledger-admin'
import { readForRedis } from '@tollgate/ledger/recovery/store-position'
import { putTokenRecord } from '@tollgate/redis/stores/token-store'
import { nowSeconds, type Deps } from '../deps.ts'
import { loadTokens, loadWallets } from './ledger-load.ts'
import { startLoop, type Loop } from '@tollgate/jobs/loop'
import { toTokenRecord } from './token-record.ts'

export type SyncDeps = Pick<Deps, 'db' | 'redis' | 'ledgerRedis' | 'log' | 'now'>

export type Changed = { readonly subject: OutboxSubject; readonly id: number }

const PAGE = 100
const KEPT_S = 24 * 3600

/**
 * Syncs a user or token from Postgres to Redis: first the cached token records, then the version numbers that relays compare.
 * Call it after commit. Never throws: the outbox loop repeats a failed sync.
 */
export async function syncChanged(deps: SyncDeps, changed: readonly Changed[]): Promise<void> {
  for (const { subject, id } of changed) {
    try {
      await syncSubject(deps, subject, id)
    } catch (error) {
      deps.log.warn({ err: error, subject, id }, 'sync to Redis after commit failed; the outbox loop repeats it')
    }
  }
}

/** Processes the outbox every second: a row is closed when Redis has the version that Postgres had after the row was read. */
export function startOutboxLoop(deps: SyncDeps, { onOpen }: { onOpen: (rows: number) => void }, intervalMs = 1000): Loop {
  return startLoop({
    name: 'outbox',
    intervalMs,
    firstAfterMs: intervalMs,
    log: deps.log,
    monotonic: () => performance.now(),
    run: async () => onOpen(await processOutbox(deps)),
  })
}

/** Deletes rows that were closed a day ago, once an hour. */
export function startOutboxUpkeep(deps: SyncDeps, intervalMs = 3_600_000): Loop {
  const run = (): Promise<number> => removeClosedOutbox(deps.db, nowSeconds(deps) - KEPT_S)
  return startLoop({ name: 'outbox-upkeep', intervalMs, firstAfterMs: intervalMs, log: deps.log, run })
}

/** Processes all open rows once; returns the number that could not be closed. */
export async function processOutbox(deps: SyncDeps): Promise<number> {
  let after = 0
  let open = 0
  for (;;) {
    const rows = await listOpenOutbox(deps.db, { after, limit: PAGE })
    const closed: number[] = []
    for (const group of Map.groupBy(rows, (row) => `${row.subject} ${row.subject_id}`).values()) {
      if (await syncGroup(deps, group)) closed.push(...group.map((row) => row.id))
    }
    await closeOutbox(deps.db, { ids: closed, now: nowSeconds(deps) })
    open += rows.length - closed.length
    if (rows.length < PAGE) return open
    after = rows.at(-1)?.id ?? after
  }
}

async function syncGroup(deps: SyncDeps, [first]: readonly OutboxRow[]): Promise<boolean> {
  if (first === undefined) return true
  try {
    return await syncSubject(deps, first.subject, first.subject_id)
  } catch (error) {
    deps.log.warn(
      { err: error, subject: first.subject, id: first.subject_id },
      'sync to Redis from the outbox failed; the next pass repeats it',
    )
    return false
  }
}

function syncSubject(deps: SyncDeps, subject: OutboxSubject, id: number): Promise<boolean> {
  return subject === 'user' ? syncUser(deps, id) : syncToken(deps, id)
}

// The numbers are read before the records, so that a record is never older than the number that invalidates its predecessors.
async function syncUser(deps: SyncDeps, id: number): Promise<boolean> {
  const states = await readStates(deps, id, listWalletStates)
  if (states === undefined) return false
  const [state] = states
  if (state === undefined) return true
  await putRecords(deps, await listTokenOwnersOfUser(deps.db, id))
  const ledger = createLedgerAdmin(deps.ledgerRedis)
  const result = await ledger.syncWallet(state)
  if (result.kind !== 'cold') return isApplied(result)
  // A load that read Postgres before this commit may still be running; this load, or the later sync, leaves the newer version.
  await loadWallets(deps, [id])
  return isApplied(await ledger.syncWallet(state))
}

async function syncToken(deps: SyncDeps, id: number): Promise<boolean> {
  const states = await readStates(deps, id, listTokenStates)
  if (states === undefined) return false
  const [state] = states
  if (state === undefined) return true
  await putRecords(deps, await listTokenOwnersById(deps.db, [id]))
  const ledger = createLedgerAdmin(deps.ledgerRedis)
  const result = await ledger.syncToken(state)
  if (result.kind !== 'cold') return isApplied(result)
  await loadTokens(deps, [id])
  return isApplied(await ledger.syncToken(state))
}

/**
 * Stores Postgres' log position in Redis before a credit, so that a Postgres restored without that credit is recognised. Undefined when
 * Postgres was restored: the outbox repeats the sync after recovery has checked it.
 */
function readStates<State>(
  { db, ledgerRedis }: SyncDeps,
  id: number,
  list: (db: Db, ids: readonly number[]) => Promise<State[]>,
): Promise<State[] | undefined> {
  return readForRedis(ledgerRedis, () => readWithWalPosition(db, (own) => list(own, [id])))
}

async function putRecords(deps: SyncDeps, rows: readonly TokenOwnerRow[]): Promise<void> {
  await Promise.all(rows.map((row) => putTokenRecord(deps.redis, row.key_hash, toTokenRecord(row))))
}

function isApplied(result: SyncResult): boolean {
  return result.kind === 'synced' || result.kind === 'current'
}
