import { listTokenStates, listWalletStates } from '@tollgate/db/queries/wallet'
import { createLedgerAdmin, type LoadResult } from '@tollgate/redis/ledger-admin'
import type { Deps } from '../deps.ts'

type LoadDeps = Pick<Deps, 'db' | 'redis'>

/** Makes these users' wallets hot; the results are those of the wallets that exist. */
export async function loadWallets({ db, redis }: LoadDeps, userIds: readonly number[]): Promise<LoadResult[]> {
  const ids = [...new Set(userIds)]
  if (ids.length === 0) return []
  const ledger = createLedgerAdmin(redis)
  // Redis' clock before the read: the script refuses a read that is older than 5 s.
  const readAt = await ledger.redisTime()
  return ledger.loadWallets(await listWalletStates(db, ids), readAt)
}

/** Makes these tokens hot. */
export async function loadTokens({ db, redis }: LoadDeps, tokenIds: readonly number[]): Promise<LoadResult[]> {
  const ids = [...new Set(tokenIds)]
  if (ids.length === 0) return []
  const ledger = createLedgerAdmin(redis)
  const readAt = await ledger.redisTime()
  return ledger.loadTokens(await listTokenStates(db, ids), readAt)
}
