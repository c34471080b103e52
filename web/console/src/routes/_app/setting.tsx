import { createFileRoute } from '@tanstack/react-router'
import { requireAdmin } from '../../app/guards.ts'
import { SettingsPage } from '../../features/settings/page.tsx'
import { parseSettingsSearch } from '../../features/settings/search.ts'
import { loadTexts } from '../../i18n/start.ts'

export const Route = createFileRoute('/_app/setting')({
  validateSearch: parseSettingsSearch,
  // A finished binding of an account leads here, for every role; users have their bindings on their own page.
  beforeLoad: requireAdmin,
  loader: () => Promise.all([loadTexts('settings', 'budgets'), loadTexts('options'), loadTexts('prices', 'price-tools')]),
  component: SettingsRoute,
})

function SettingsRoute() {
  const navigate = Route.useNavigate()
  return <SettingsPage search={Route.useSearch()} onSearch={(search) => void navigate({ search: parseSettingsSearch(search) })} />
}
