import { AppError } from '@tollgate/contracts/app-error'
import { csvExports } from '@tollgate/contracts/resources/exports'
import type { LogFilter, OwnLogFilter } from '@tollgate/contracts/resources/logs'
import { listWalletEntries, type WalletEntryRow } from '@tollgate/db/queries/wallet/wallet-entries'
import type { Actor } from '@tollgate/http/actor'
import { handle, type Binding, type CallContext } from '@tollgate/http/handle'
import { csvResponse, type CsvColumn } from '../../csv.ts'
import type { Deps } from '../../deps.ts'
import { READER_TIMEOUT_S } from '../../long-answer.ts'
import { withReadSnapshot } from '../../with-read-snapshot.ts'
import { exportFilterOf, logPages } from '../logs/service.ts'
import { logColumns, walletColumns } from './columns.ts'

const ROWS = 1000

type Called = CallContext & { readonly actor: Actor }

export function exportRoutes(deps: Deps): Binding[] {
  const send = <Row>(
    { c, actor }: Called,
    name: string,
    columns: readonly CsvColumn<Row>[],
    pages: AsyncGenerator<readonly Row[]>,
  ): Response => {
    const share = deps.budgets.exports.tryTake({ user: actor.id })
    if (typeof share !== 'string') return csvResponse({ name, columns, pages, share })
    c.header('Retry-After', String(READER_TIMEOUT_S))
    throw new AppError('rate.exports')
  }
  const unit = () => deps.options.get('QuotaPerUnit')
  const sendLogs = async (call: Called, query: LogFilter | OwnLogFilter, owner: number | undefined): Promise<Response> => {
    const filter = await exportFilterOf(deps, query, owner)
    const columns = logColumns({ quota_per_unit: await unit(), isAdmin: owner === undefined })
    return send(call, 'logs', columns, logPages(deps, { filter, owner, size: ROWS }))
  }
  return [
    handle(csvExports.logs, (call) => sendLogs(call, call.query, undefined)),
    handle(csvExports.ownLogs, (call) => sendLogs(call, call.query, call.actor.id)),
    handle(csvExports.wallet, async (call) =>
      send(call, 'wallet', walletColumns(await unit()), walletPages(deps, { ...rangeOf(call.query), user_id: call.actor.id })),
    ),
    handle(csvExports.wallets, async (call) => send(call, 'wallets', walletColumns(await unit()), walletPages(deps, rangeOf(call.query)))),
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
