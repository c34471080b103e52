import { createFileRoute } from '@tanstack/react-router'
import { DrawingsPage } from '../../features/tasks/drawing-page.tsx'
import { parseTaskSearch, type TaskSearch } from '../../features/tasks/search.ts'
import { loadTexts } from '../../i18n/start.ts'

export const Route = createFileRoute('/_app/midjourney')({
  validateSearch: (search): TaskSearch => parseTaskSearch(search),
  loader: () => loadTexts('tasks'),
  component: DrawingsRoute,
})

function DrawingsRoute() {
  const navigate = Route.useNavigate()
  return <DrawingsPage search={Route.useSearch()} onSearch={(search) => void navigate({ search: parseTaskSearch({ ...search }) })} />
}
