import { vendorInvoices } from '@tollgate/contracts/resources/vendor-invoices'
import { listRoutedChannels } from '@tollgate/db/queries/channels/channels'
import { listInvoiceLines, listVendorInvoices } from '@tollgate/db/queries/invoices/vendor-invoices'
import { handle, type Binding } from '@tollgate/http/handle'
import { csvResponse, takeFileShare } from '../../csv.ts'
import type { Deps } from '../../deps.ts'
import { pagingOf } from '../../paging.ts'
import { invoiceColumns, linePages } from './export.ts'
import { previewFiles } from './read.ts'
import { compareAgain, createInvoice, fetchInvoice, findInvoice, removeInvoice } from './service.ts'

export const invoiceRoutes = (deps: Deps): Binding[] => [
  handle(vendorInvoices.list, async ({ query }) => {
    const { page, page_size, ...span } = pagingOf(query)
    return { ...(await listVendorInvoices(deps.db, span)), page, page_size }
  }),
  handle(vendorInvoices.channels, async () => (await listRoutedChannels(deps.db)).map(({ id, name, type }) => ({ id, name, type }))),
  handle(vendorInvoices.find, ({ params }) => findInvoice(deps, params.id)),
  handle(vendorInvoices.lines, async ({ params, query }) => {
    const { page, page_size, ...span } = pagingOf(query)
    const found = await listInvoiceLines(deps.db, { id: params.id, differing: query.differing, ...span })
    return { ...found, page, page_size }
  }),
  handle(vendorInvoices.export, async (call) => {
    const { id } = await findInvoice(deps, call.params.id)
    const pages = linePages(deps, id)
    return csvResponse({ name: `vendor-invoice-${id}`, columns: invoiceColumns, pages, share: takeFileShare(deps, call) })
  }),
  handle(vendorInvoices.preview, ({ body }) => previewFiles(deps, body)),
  handle(vendorInvoices.create, ({ actor, ip, body }) => createInvoice(deps, { actor, ip }, body)),
  handle(vendorInvoices.fetch, ({ actor, ip, body }) => fetchInvoice(deps, { actor, ip }, body)),
  handle(vendorInvoices.compare, ({ params }) => compareAgain(deps, params.id)),
  handle(vendorInvoices.remove, ({ actor, ip, params }) => removeInvoice(deps, { actor, ip }, params.id)),
]
