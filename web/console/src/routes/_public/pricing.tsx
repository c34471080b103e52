import { createFileRoute } from '@tanstack/react-router'
import { priceList } from '../../features/pricing/api.ts'
import { PricingPage } from '../../features/pricing/page.tsx'
import { parsePricingSearch } from '../../features/pricing/search.ts'
import { loadTexts } from '../../i18n/start.ts'
import { session } from '../../lib/session.ts'

export const Route = createFileRoute('/_public/pricing')({
  validateSearch: parsePricingSearch,
  loader: async ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(priceList(session.user()?.id))
    await loadTexts('pricing', 'snippets')
  },
  component: PricingRoute,
})

function PricingRoute() {
  const navigate = Route.useNavigate()
  return (
    <PricingPage
      search={Route.useSearch()}
      onChange={(change) => void navigate({ search: (before) => parsePricingSearch({ ...before, ...change }), resetScroll: false })}
    />
  )
}
