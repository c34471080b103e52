import { csvExports } from '@tollgate/contracts/resources/exports'
import type { LogFilter, OwnLogFilter } from '@tollgate/contracts/resources/logs'
import { listAuditPage, type AuditRow, type AuditScope } from '@tollgate/db/queries/installation/audit'
import { listUsersWithUsage } from '@tollgate/db/queries/usage/user-usage'
import type { Actor } from '@tollgate/http/actor'
import { handle, type Binding, type CallContext } from '@tollgate/http/handle'
import { csvResponse, takeFileShare, textResponse, type CsvColumn, type CsvFile } from '../../csv.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import { inSlices } from '../../in-slices.ts'
import { pagesAfter } from '../../paging.ts'
import { publicAddress } from '../../public-address.ts'
import { withReadSnapshot } from '../../with-read-snapshot.ts'
import { exportFilterOf, logPages } from '../logs/service.ts'
import { monthOf } from '../statements/month.ts'
import { auditColumns, auditLine, logColumns, walletColumns } from './columns.ts'
import { ownLines } from './own-lines.ts'
import { walletPages, type Range } from './wallet-pages.ts'
import { focusColumns, focusRows, type FocusRow } from './focus.ts'

const ROWS = 1000

type Called = CallContext & { readonly actor: Actor }

export function exportRoutes(deps: Deps): Binding[] {
  const send = <Row>(
    call: Called,
    name: string,
    columns: readonly CsvColumn<Row>[],
    pages: AsyncGenerator<readonly Row[]>,
    readers: CsvFile<Row>['readers'] = 'spreadsheets',
  ): Response => csvResponse({ name, columns, pages, share: takeFileShare(deps, call), readers })
  const unit = () => deps.options.get('QuotaPerUnit')
  const sendLogs = async (call: Called, query: LogFilter | OwnLogFilter, owner: number | undefined): Promise<Response> => {
    const filter = await exportFilterOf(deps, query, owner)
    const columns = logColumns({ quota_per_unit: await unit(), isAdmin: owner === undefined, language: call.language })
    return send(call, 'logs', columns, logPages(deps, { filter, owner, language: call.language }))
  }
  const sendFocus = async (call: Called & { readonly query: { readonly month: string } }, account: FocusAccount): Promise<Response> => {
    const month = monthOf(call.query.month, nowSeconds(deps))
    const provider = await deps.options.get('SystemName')
    const address = await publicAddress(deps)
    const named = account ?? { id: URL.parse(address)?.host ?? address, name: provider }
    const columns = focusColumns({ month, provider, account: named, parts: account === undefined ? 'users' : 'tokens' })
    const reading = { ...month, quota_per_unit: await unit() }
    const pages = account === undefined ? focusOfAll(deps, reading) : focusRows(deps, { ...reading, user_id: call.actor.id })
    return send(call, `focus-${month.month}`, columns, pages, 'programs')
  }
  return [
    handle(csvExports.own, (call) =>
      textResponse({
        name: 'my-data.jsonl',
        type: 'text/plain; charset=utf-8',
        opening: '',
        parts: ownLines(deps, call.actor),
        share: takeFileShare(deps, call),
      }),
    ),
    handle(csvExports.focus, (call) => sendFocus(call, undefined)),
    handle(csvExports.ownFocus, (call) => sendFocus(call, { id: `user-${call.actor.id}`, name: call.actor.username })),
    handle(csvExports.logs, (call) => sendLogs(call, call.query, undefined)),
    handle(csvExports.ownLogs, (call) => sendLogs(call, call.query, call.actor.id)),
    handle(csvExports.wallet, async (call) =>
      send(call, 'wallet', walletColumns(await unit()), walletPages(deps, { ...rangeOf(call.query), user_id: call.actor.id })),
    ),
    handle(csvExports.ownAudit, (call) => {
      const { format, ...range } = call.query
      const { id, member } = call.actor
      const pages = auditPages(deps, { range, scope: member === undefined ? { actor_id: id } : { organisation_id: id } })
      if (format === 'csv') return send(call, 'audit', auditColumns, pages)
      return textResponse({
        name: 'audit.jsonl',
        type: 'application/x-ndjson',
        opening: '',
        parts: linesOf(pages),
        share: takeFileShare(deps, call),
      })
    }),
    handle(csvExports.wallets, async (call) => send(call, 'wallets', walletColumns(await unit()), walletPages(deps, rangeOf(call.query)))),
  ]
}

type Audited = { readonly range: { start_timestamp: number; end_timestamp: number }; readonly scope: AuditScope }

function auditPages(deps: Deps, { range, scope }: Audited): AsyncGenerator<readonly AuditRow[]> {
  const filter = { resource: '', resource_id: '', action: '', actor_id: 0, ...range }
  return pagesAfter<AuditRow>(ROWS, (last) => {
    const page = { filter, scope, before: last?.id, limit: ROWS }
    return withReadSnapshot(deps, (tx) => listAuditPage(tx, page))
  })
}

async function* linesOf(pages: AsyncGenerator<readonly AuditRow[]>): AsyncGenerator<string> {
  for await (const rows of pages) for await (const lines of inSlices(rows, auditLine)) yield lines.join('')
}

const rangeOf = ({ start_timestamp, end_timestamp }: { start_timestamp: number; end_timestamp: number }): Range => ({
  from: start_timestamp,
  to: end_timestamp,
})

type FocusAccount = { readonly id: string; readonly name: string } | undefined

async function* focusOfAll(deps: Deps, month: Omit<Parameters<typeof focusRows>[1], 'user_id'>): AsyncGenerator<readonly FocusRow[]> {
  const users = pagesAfter<number>(ROWS, (after = 0) =>
    withReadSnapshot(deps, (tx) => listUsersWithUsage(tx, { ...month, after, limit: ROWS })),
  )
  for await (const page of users) for (const user_id of page) yield* focusRows(deps, { ...month, user_id })
}
