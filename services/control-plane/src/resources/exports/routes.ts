import { AppError } from '@tollgate/contracts/app-error'
import { csvExports } from '@tollgate/contracts/resources/exports'
import { listWalletEntries, type WalletEntryRow } from '@tollgate/db/queries/wallet-entries'
import { handle, type Binding } from '@tollgate/http/handle'
import { csvResponse, type CsvColumn } from '../../csv.ts'
import type { Deps } from '../../deps.ts'
import { withReadSnapshot } from '../../with-read-snapshot.ts'
import { logPages } from '../logs/service.ts'
import { logColumns, walletColumns } from './columns.ts'

/** Files that one process writes at the same time: each holds a connection for as long as a page takes to read. */
const MAX_RUNNING = 4
const ROWS = 1000

export function exportRoutes(deps: Deps): Binding[] {
  let running = 0
  const send = <Row>(name: string, columns: readonly CsvColumn<Row>[], pages: AsyncGenerator<readonly Row[]>): Response => {
    if (running >= MAX_RUNNING) throw new AppError('rate.console')
    running += 1
    let isOver = false
    const onEnd = (): void => {
      if (isOver) return
      isOver = true
      running -= 1
    }
    return csvResponse({ name, columns, pages, onEnd })
  }
  const unit = () => deps.options.get('QuotaPerUnit')
  return [
    handle(csvExports.logs, async ({ query }) =>
      send('logs', logColumns({ quota_per_unit: await unit(), isAdmin: true }), logPages(deps, query, undefined, ROWS)),
    ),
    handle(csvExports.ownLogs, async ({ query, actor }) =>
      send('logs', logColumns({ quota_per_unit: await unit(), isAdmin: false }), logPages(deps, query, actor.id, ROWS)),
    ),
    handle(csvExports.wallet, async ({ query, actor }) =>
      send('wallet', walletColumns(await unit()), walletPages(deps, { ...rangeOf(query), user_id: actor.id })),
    ),
    handle(csvExports.wallets, async ({ query }) => send('wallets', walletColumns(await unit()), walletPages(deps, rangeOf(query)))),
  ]
}

type Range = { readonly from: number; readonly to: number; readonly user_id?: number }

const rangeOf = ({ start_timestamp, end_timestamp }: { start_timestamp: number; end_timestamp: number }): Range => ({
  from: start_timestamp,
  to: end_timestamp,
})

async function* walletPages(deps: Deps, range: Range): AsyncGenerator<readonly WalletEntryRow[]> {
  let after = 0
  for (;;) {
    const rows = await withReadSnapshot(deps, (tx) => listWalletEntries(tx, { ...range, after, limit: ROWS }))
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < ROWS) return
    after = last.id
  }
}
