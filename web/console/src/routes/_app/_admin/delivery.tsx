import { createFileRoute } from '@tanstack/react-router'
import { DeliveriesPage } from '../../../features/deliveries/page.tsx'
import { useProof } from '../../../features/personal/security/use-proof.tsx'
import { parseDeliverySearch } from '../../../features/deliveries/search.ts'
import { loadTexts } from '../../../i18n/start.ts'

export const Route = createFileRoute('/_app/_admin/delivery')({
  validateSearch: parseDeliverySearch,
  loader: () => loadTexts('deliveries'),
  component: DeliveryRoute,
})

function DeliveryRoute() {
  const navigate = Route.useNavigate()
  const { guarded, dialog } = useProof()
  return (
    <>
      <DeliveriesPage
        guarded={guarded}
        search={Route.useSearch()}
        onSearch={(search) => void navigate({ search: parseDeliverySearch(search) })}
      />
      {dialog}
    </>
  )
}
