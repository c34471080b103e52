import { listWalletEntries, type WalletEntryRow } from '@tollgate/db/queries/wallet/wallet-entries'
import type { Deps } from '../../deps.ts'
import { pagesAfter } from '../../paging.ts'
import { withReadSnapshot } from '../../with-read-snapshot.ts'

const ROWS = 1000

export type Range = { readonly from: number; readonly to: number; readonly user_id?: number }

/** Wallet entries, page after page, oldest first. */
export const walletPages = (deps: Deps, range: Range): AsyncGenerator<readonly WalletEntryRow[]> =>
  pagesAfter<WalletEntryRow>(ROWS, (last) =>
    withReadSnapshot(deps, (tx) => listWalletEntries(tx, { ...range, after: last?.id ?? 0, limit: ROWS })),
  )
