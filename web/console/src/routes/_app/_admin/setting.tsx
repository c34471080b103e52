import { createFileRoute } from '@tanstack/react-router'
import { requireRoot } from '../../../app/guards.ts'
import { SettingsPage } from '../../../features/settings/page.tsx'
import { parseSettingsSearch } from '../../../features/settings/search.ts'
import { loadTexts } from '../../../i18n/start.ts'

export const Route = createFileRoute('/_app/_admin/setting')({
  validateSearch: parseSettingsSearch,
  beforeLoad: requireRoot,
  loader: () => loadTexts('settings'),
  component: SettingsRoute,
})

function SettingsRoute() {
  const navigate = Route.useNavigate()
  return <SettingsPage search={Route.useSearch()} onSearch={(search) => void navigate({ search: parseSettingsSearch(search) })} />
}
