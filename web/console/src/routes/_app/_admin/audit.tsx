import { createFileRoute } from '@tanstack/react-router'
import { AuditPage } from '../../../features/audit/page.tsx'
import { parseAuditSearch } from '../../../features/audit/search.ts'
import { loadTexts } from '../../../i18n/start.ts'

export const Route = createFileRoute('/_app/_admin/audit')({
  validateSearch: parseAuditSearch,
  loader: () => loadTexts('audit'),
  component: AuditRoute,
})

function AuditRoute() {
  const navigate = Route.useNavigate()
  return <AuditPage search={Route.useSearch()} onSearch={(search) => void navigate({ search: parseAuditSearch(search) })} />
}
