import { AppError } from '@tollgate/contracts/app-error'
import {
  MAX_INVOICE_DAYS,
  type FetchedInvoice,
  type InvoiceFile,
  type NewInvoice,
  type VendorInvoice,
} from '@tollgate/contracts/resources/vendor-invoices'
import { sumRows } from '@tollgate/db/log-page-position'
import { listRoutedChannels } from '@tollgate/db/queries/channels/channels'
import {
  createVendorInvoice,
  deleteVendorInvoice,
  findVendorInvoice,
  reopenVendorInvoice,
  saveInvoiceMapping,
} from '@tollgate/db/queries/invoices/vendor-invoices'
import { countLogs } from '@tollgate/db/queries/logs/log-counts'
import { daysBetween } from '@tollgate/domain/vendor-invoices/days'
import { toInvoiceSums } from '@tollgate/domain/vendor-invoices/invoice-sums'
import type { ReadInvoice } from '@tollgate/domain/vendor-invoices/read-invoice'
import { recordAudit, type By } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import { withReadSnapshot } from '../../with-read-snapshot.ts'
import { fetchReports } from './fetch.ts'
import { columnsHash, dayCount, daysOf, readFiles, tooLarge } from './read.ts'

type Head = Pick<NewInvoice, 'name' | 'vendor' | 'time_zone' | 'channel_ids' | 'accounts'>

/** Stores an invoice from files, with the mappings that were typed for them. */
export async function createInvoice(deps: Deps, by: By, { files, ...head }: NewInvoice): Promise<VendorInvoice> {
  return await storeInvoice(deps, by, { head, source: 'file', files })
}

/** Stores an invoice from the vendor's reports. */
export async function fetchInvoice(deps: Deps, by: By, body: FetchedInvoice): Promise<VendorInvoice> {
  const { key: _key, address: _address, first_day, last_day, ...head } = body
  const days = dayCount(first_day, last_day)
  if (!(days >= 1 && days <= MAX_INVOICE_DAYS)) throw new AppError('invoice.days', { days: MAX_INVOICE_DAYS })
  await refuseUnknownChannels(deps, head)
  return await storeInvoice(deps, by, { head, source: 'api', files: await fetchReports(deps, body) })
}

type Given = { readonly head: Head; readonly source: VendorInvoice['source']; readonly files: readonly InvoiceFile[] }

async function storeInvoice(deps: Deps, by: By, { head, source, files }: Given): Promise<VendorInvoice> {
  await refuseUnknownChannels(deps, head)
  const read = await readFiles(deps, { ...head, files })
  refuseUnreadable(read, source)
  const days = daysOf(read)
  const total = await countEntries(deps, { ...days, time_zone: head.time_zone })
  const now = nowSeconds(deps)
  const billed = read.lines.map(({ account, model, day, ...line }) => ({ account, model, day, ...toInvoiceSums(line) }))
  const invoice = await deps.db.transaction().execute(async (tx) => {
    for (const [nth, { mapping }] of files.entries()) {
      const columns = read.files[nth]?.records.columns
      if (mapping !== undefined && columns !== undefined)
        await saveInvoiceMapping(tx, { vendor: head.vendor, columns_hash: columnsHash(columns), mapping, now })
    }
    const created = await createVendorInvoice(tx, {
      ...head,
      ...days,
      source,
      rows: read.rows,
      created_by: by.actor.username,
      created_at: now,
      total,
      billed,
    })
    const changes = [
      { field: 'name', after: head.name },
      { field: 'source', after: source },
    ]
    await recordAudit(deps, tx, by, [{ action: 'create', resource: 'vendor-invoice', resource_id: created.id, changes }])
    return created
  })
  await deps.jobs.enqueue('compare-invoice', { id: invoice.id })
  return invoice
}

/** A report of a vendor may be empty; a file may not, and no row that cannot be read is left out. */
function refuseUnreadable({ problems, lines }: ReadInvoice, source: VendorInvoice['source']): void {
  const found = source === 'api' ? problems.filter(({ reason }) => reason !== 'empty' && reason !== 'columns') : problems
  const [first] = found
  if (first !== undefined) throw new AppError('invoice.unreadable', { count: found.length, file: first.file, line: first.line })
  if (lines.length === 0) throw new AppError('invoice.empty')
  const { first_day, last_day } = daysOf({ lines })
  if (dayCount(first_day, last_day) > MAX_INVOICE_DAYS) throw tooLarge()
}

async function refuseUnknownChannels({ db }: Deps, { channel_ids, accounts }: Head): Promise<void> {
  const asked = [...new Set([...channel_ids, ...Object.values(accounts)])]
  const found = await listRoutedChannels(db, asked)
  if (found.length !== asked.length) throw new AppError('invoice.channels')
}

type Span = { readonly first_day: string; readonly last_day: string; readonly time_zone: string }

/** About how many log entries the comparison reads. */
async function countEntries(deps: Deps, { first_day, last_day, time_zone }: Span): Promise<number> {
  const days = daysBetween(first_day, last_day, time_zone)
  const [from, to] = [days[0]?.start ?? 0, (days.at(-1)?.end ?? 1) - 1]
  return await withReadSnapshot(deps, async (tx) => sumRows(await countLogs(tx, { from, to }, 0)))
}

export async function findInvoice({ db }: Deps, id: number): Promise<VendorInvoice> {
  const found = await findVendorInvoice(db, id)
  if (found === undefined) throw new AppError('record.missing')
  return found
}

/** Compares with the log as it is now. */
export async function compareAgain(deps: Deps, id: number): Promise<VendorInvoice> {
  const invoice = await deps.db.transaction().execute((tx) => reopenVendorInvoice(tx, id))
  if (invoice === undefined) throw new AppError('record.missing')
  await deps.jobs.enqueue('compare-invoice', { id })
  return invoice
}

export async function removeInvoice(deps: Deps, by: By, id: number): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const name = await deleteVendorInvoice(tx, id)
    if (name === undefined) throw new AppError('record.missing')
    const changes = [{ field: 'name', before: name }]
    await recordAudit(deps, tx, by, [{ action: 'delete', resource: 'vendor-invoice', resource_id: id, changes }])
  })
}
