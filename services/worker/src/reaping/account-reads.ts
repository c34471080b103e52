import type { Db } from '@tollgate/db/connect'
import { readWithWalPosition } from '@tollgate/db/queries/ledger/wal-position'
import { listTokenStates, listWalletStates } from '@tollgate/db/queries/wallet/wallet'
import type { ReaperDeps } from '@tollgate/ledger/reaping/reaper'

/** Reads the wallet and token of a hold whose accounts are cold. */
export const accountReads = (db: Db): Pick<ReaperDeps, 'readWallet' | 'readToken'> => ({
  readWallet: (userId) => readWithWalPosition(db, (own) => listWalletStates(own, [userId])),
  readToken: (tokenId) => readWithWalPosition(db, (own) => listTokenStates(own, [tokenId])),
})
