import { createFileRoute } from '@tanstack/react-router'
import { ClientSetupPage } from '../../features/tokens/client-setup/page.tsx'
import { parseClientSetupSearch } from '../../features/tokens/client-setup/search.ts'
import { loadTexts } from '../../i18n/start.ts'

export const Route = createFileRoute('/_app/client-setup')({
  validateSearch: parseClientSetupSearch,
  loader: () => loadTexts('tokens', 'snippets'),
  component: ClientSetupRoute,
})

function ClientSetupRoute() {
  const navigate = Route.useNavigate()
  return (
    <ClientSetupPage
      search={Route.useSearch()}
      onChange={(part) => void navigate({ search: (before) => ({ ...before, ...part }), replace: true })}
    />
  )
}
