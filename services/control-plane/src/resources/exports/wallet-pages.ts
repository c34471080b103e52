import { listWalletEntries, type WalletEntryRow } from '@tollgate/db/queries/wallet/wallet-entries'
import type { Deps } from '../../deps.ts'
import { withReadSnapshot } from '../../with-read-snapshot.ts'

const ROWS = 1000

export type Range = { readonly from: number; readonly to: number; readonly user_id?: number }

/** Wallet entries, page after page, oldest first. */
export async function* walletPages(deps: Deps, range: Range): AsyncGenerator<readonly WalletEntryRow[]> {
  let after = 0
  for (;;) {
    const rows = await withReadSnapshot(deps, (tx) => listWalletEntries(tx, { ...range, after, limit: ROWS }))
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < ROWS) return
    after = last.id
  }
}
