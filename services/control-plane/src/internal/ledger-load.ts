import type { Db } from '@tollgate/db/connect'
import { readWithWalPosition } from '@tollgate/db/queries/ledger/wal-position'
import { listTokenStates, listWalletStates } from '@tollgate/db/queries/wallet/wallet'
import { createLedgerAdmin, type LedgerAdmin, type LoadResult, type ReadAt } from '@tollgate/ledger/accounts/ledger-admin'
import { readForRedis } from '@tollgate/ledger/recovery/store-position'
import type { Deps } from '../deps.ts'

type LoadDeps = Pick<Deps, 'db' | 'ledgerRedis'>

/** Loads these users' wallets into Redis; the results cover the wallets that exist. */
export function loadWallets(deps: LoadDeps, userIds: readonly number[]): Promise<LoadResult[]> {
  return load(deps, userIds, listWalletStates, (ledger) => (states, readAt) => ledger.loadWallets(states, readAt))
}

/** Loads these tokens into Redis. */
export function loadTokens(deps: LoadDeps, tokenIds: readonly number[]): Promise<LoadResult[]> {
  return load(deps, tokenIds, listTokenStates, (ledger) => (states, readAt) => ledger.loadTokens(states, readAt))
}

/** On a busy shard events may be posted between the read and the load; then the read is repeated. */
const READS = 3

async function load<State>(
  { db, ledgerRedis }: LoadDeps,
  asked: readonly number[],
  list: (db: Db, ids: readonly number[]) => Promise<State[]>,
  tell: (ledger: LedgerAdmin) => (states: readonly State[], readAt: ReadAt) => Promise<LoadResult[]>,
): Promise<LoadResult[]> {
  const ids = [...new Set(asked)]
  if (ids.length === 0) return []
  try {
    return await loadTogether({ db, ledgerRedis }, ids, list, tell)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    // One row cannot be read; the others must not fail with it.
    const results: LoadResult[] = []
    for (const id of ids) {
      const alone = await loadTogether({ db, ledgerRedis }, [id], list, tell).catch((cause: unknown): LoadResult[] => [
        { kind: 'unavailable', cause },
      ])
      results.push(...alone)
    }
    return results
  }
}

async function loadTogether<State>(
  { db, ledgerRedis }: LoadDeps,
  ids: readonly number[],
  list: (db: Db, ids: readonly number[]) => Promise<State[]>,
  tell: (ledger: LedgerAdmin) => (states: readonly State[], readAt: ReadAt) => Promise<LoadResult[]>,
): Promise<LoadResult[]> {
  const ledger = createLedgerAdmin(ledgerRedis)
  for (let reads = 1; ; reads += 1) {
    // Redis' clock is read first: the script refuses a read older than 5 s.
    const readAt = await ledger.beginRead()
    const states = await readForRedis(ledgerRedis, () => readWithWalPosition(db, (own) => list(own, ids)))
    const results = states === undefined ? ids.map((): LoadResult => ({ kind: 'old' })) : await tell(ledger)(states, readAt)
    if (reads === READS || results.every(({ kind }) => kind !== 'old')) return results
  }
}
