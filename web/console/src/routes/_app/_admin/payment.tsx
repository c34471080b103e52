import { createFileRoute } from '@tanstack/react-router'
import { PaymentsPage } from '../../../features/payments/page.tsx'
import { parsePaymentSearch } from '../../../features/payments/search.ts'
import { useProof } from '../../../features/personal/security/use-proof.tsx'
import { loadTexts } from '../../../i18n/start.ts'

export const Route = createFileRoute('/_app/_admin/payment')({
  validateSearch: parsePaymentSearch,
  loader: () => loadTexts('payments', 'security'),
  component: PaymentRoute,
})

function PaymentRoute() {
  const navigate = Route.useNavigate()
  const { guarded, dialog } = useProof()
  return (
    <>
      <PaymentsPage
        search={Route.useSearch()}
        guarded={guarded}
        onSearch={(search) => void navigate({ search: parsePaymentSearch(search) })}
      />
      {dialog}
    </>
  )
}
