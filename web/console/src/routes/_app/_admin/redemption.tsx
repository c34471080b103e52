import { createFileRoute } from '@tanstack/react-router'
import { RedemptionsPage } from '../../../features/redemptions/page.tsx'
import { parseCodeSearch, type CodeSearch } from '../../../features/redemptions/search.ts'
import { loadTexts } from '../../../i18n/start.ts'

export const Route = createFileRoute('/_app/_admin/redemption')({
  validateSearch: (search): CodeSearch => parseCodeSearch(search),
  loader: () => loadTexts('redemptions'),
  component: RedemptionRoute,
})

function RedemptionRoute() {
  const navigate = Route.useNavigate()
  return <RedemptionsPage search={Route.useSearch()} onSearch={(search) => void navigate({ search: parseCodeSearch(search) })} />
}
