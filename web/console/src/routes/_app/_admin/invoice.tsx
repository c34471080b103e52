import { createFileRoute } from '@tanstack/react-router'
import { InvoicesPage } from '../../../features/invoices/page.tsx'
import { parseInvoiceSearch } from '../../../features/invoices/search.ts'
import { loadTexts } from '../../../i18n/start.ts'

export const Route = createFileRoute('/_app/_admin/invoice')({
  validateSearch: parseInvoiceSearch,
  loader: () => loadTexts('invoices'),
  component: InvoiceRoute,
})

function InvoiceRoute() {
  const navigate = Route.useNavigate()
  return <InvoicesPage search={Route.useSearch()} onSearch={(search) => void navigate({ search: parseInvoiceSearch(search) })} />
}
