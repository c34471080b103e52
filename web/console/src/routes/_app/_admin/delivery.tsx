import { createFileRoute } from '@tanstack/react-router'
import { DeliveriesPage } from '../../../features/deliveries/page.tsx'
import { parseDeliverySearch } from '../../../features/deliveries/search.ts'
import { loadTexts } from '../../../i18n/start.ts'

export const Route = createFileRoute('/_app/_admin/delivery')({
  validateSearch: parseDeliverySearch,
  loader: () => loadTexts('deliveries'),
  component: DeliveryRoute,
})

function DeliveryRoute() {
  const navigate = Route.useNavigate()
  return <DeliveriesPage search={Route.useSearch()} onSearch={(search) => void navigate({ search: parseDeliverySearch(search) })} />
}
