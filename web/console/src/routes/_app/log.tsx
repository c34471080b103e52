import { createFileRoute } from '@tanstack/react-router'
import { LogsPage } from '../../features/logs/page.tsx'
import { parseLogSearch, type LogSearch } from '../../features/logs/search.ts'
import { loadTexts } from '../../i18n/start.ts'

export const Route = createFileRoute('/_app/log')({
  validateSearch: (search): LogSearch => parseLogSearch(search),
  // The explanation names priorities and weights as the channel list does.
  loader: () => loadTexts('logs', 'channels', 'refusals'),
  component: LogRoute,
})

function LogRoute() {
  const navigate = Route.useNavigate()
  return <LogsPage search={Route.useSearch()} onSearch={(search) => void navigate({ search: parseLogSearch({ ...search }) })} />
}
