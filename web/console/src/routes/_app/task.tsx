import { createFileRoute } from '@tanstack/react-router'
import { TasksPage } from '../../features/tasks/task-page.tsx'
import { parseTaskSearch, type TaskSearch } from '../../features/tasks/search.ts'
import { loadTexts } from '../../i18n/start.ts'

export const Route = createFileRoute('/_app/task')({
  validateSearch: (search): TaskSearch => parseTaskSearch(search),
  loader: () => loadTexts('tasks'),
  component: TasksRoute,
})

function TasksRoute() {
  const navigate = Route.useNavigate()
  return <TasksPage search={Route.useSearch()} onSearch={(search) => void navigate({ search: parseTaskSearch({ ...search }) })} />
}
