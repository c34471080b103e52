import { createFileRoute } from '@tanstack/react-router'
import { DashboardPage } from '../../features/dashboard/page.tsx'
import { parseDashboardSearch } from '../../features/dashboard/search.ts'
import { loadTexts } from '../../i18n/start.ts'

export const Route = createFileRoute('/_app/detail')({
  validateSearch: parseDashboardSearch,
  loader: () => loadTexts('dashboard'),
  component: DetailRoute,
})

function DetailRoute() {
  const navigate = Route.useNavigate()
  return (
    <DashboardPage
      search={Route.useSearch()}
      onSearch={(search) => void navigate({ search: parseDashboardSearch(search) })}
      onLog={(search) => void navigate({ to: '/log', search })}
    />
  )
}
