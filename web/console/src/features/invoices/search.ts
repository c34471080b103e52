import { asCount, asPage, asText, searchReader } from '../../ui/list/search.ts'

/** `id`: the invoice whose comparison is shown; `view`: `new` for the form. `which` and `page` are of the list that is shown. */
export const parseInvoiceSearch = searchReader({ id: asCount, view: asText, which: asText, page: asPage })
export type InvoiceSearch = ReturnType<typeof parseInvoiceSearch>
