import type { InvoiceLine } from '@tollgate/contracts/resources/vendor-invoices'
import { listInvoiceLines } from '@tollgate/db/queries/invoices/vendor-invoices'
import { Decimal } from '@tollgate/domain/pricing/decimal'
import type { CsvColumn, DecimalCell } from '../../csv.ts'
import type { Deps } from '../../deps.ts'
import { withReadSnapshot } from '../../with-read-snapshot.ts'

const PAGE = 1000

/** The lines of a comparison, page by page. */
export async function* linePages(deps: Deps, id: number): AsyncGenerator<readonly InvoiceLine[]> {
  for (let offset = 0; ; offset += PAGE) {
    const { items } = await withReadSnapshot(deps, (tx) => listInvoiceLines(tx, { id, differing: false, limit: PAGE, offset }))
    if (items.length > 0) yield items
    if (items.length < PAGE) return
  }
}

const exact = (text: string | null | undefined): DecimalCell | '' => (text === null || text === undefined ? '' : { decimal: text })
const count = (value: number | null | undefined): number | '' => value ?? ''

/** The charge of users less the vendor's. */
function marginOf({ vendor, own }: InvoiceLine): DecimalCell | '' {
  if (vendor?.dollars === null) return ''
  return exact(
    Decimal.parse(own?.charged ?? '0')
      .minus(Decimal.parse(vendor?.dollars ?? '0'))
      .toString(),
  )
}

export const invoiceColumns: readonly CsvColumn<InvoiceLine>[] = [
  { name: 'channel_id', of: ({ channel_id }) => channel_id },
  { name: 'model', of: ({ model }) => model },
  { name: 'day', of: ({ day }) => day },
  { name: 'vendor_requests', of: ({ vendor }) => count(vendor?.requests) },
  { name: 'vendor_input_tokens', of: ({ vendor }) => count(vendor?.input) },
  { name: 'vendor_cached_tokens', of: ({ vendor }) => count(vendor?.cached) },
  { name: 'vendor_output_tokens', of: ({ vendor }) => count(vendor?.output) },
  { name: 'vendor_usd', of: ({ vendor }) => exact(vendor?.dollars) },
  { name: 'own_requests', of: ({ own }) => count(own?.requests) },
  { name: 'own_input_tokens', of: ({ own }) => count(own?.input) },
  { name: 'own_cached_tokens', of: ({ own }) => count(own?.cached) },
  { name: 'own_output_tokens', of: ({ own }) => count(own?.output) },
  { name: 'expected_usd', of: ({ own }) => exact(own?.dollars) },
  { name: 'charged_usd', of: ({ own }) => exact(own?.charged) },
  { name: 'margin_usd', of: marginOf },
  { name: 'causes', of: ({ causes }) => causes.map(({ kind }) => kind).join(' ') },
]
