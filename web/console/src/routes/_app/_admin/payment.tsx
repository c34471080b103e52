import { createFileRoute } from '@tanstack/react-router'
import { PaymentsPage } from '../../../features/payments/page.tsx'
import { parsePaymentSearch } from '../../../features/payments/search.ts'
import { loadTexts } from '../../../i18n/start.ts'

export const Route = createFileRoute('/_app/_admin/payment')({
  validateSearch: parsePaymentSearch,
  loader: () => loadTexts('payments'),
  component: PaymentRoute,
})

function PaymentRoute() {
  const navigate = Route.useNavigate()
  return <PaymentsPage search={Route.useSearch()} onSearch={(search) => void navigate({ search: parsePaymentSearch(search) })} />
}
