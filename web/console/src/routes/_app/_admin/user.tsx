import { createFileRoute } from '@tanstack/react-router'
import { UsersPage } from '../../../features/users/page.tsx'
import { parseUserSearch } from '../../../features/users/search.ts'
import { loadTexts } from '../../../i18n/start.ts'

export const Route = createFileRoute('/_app/_admin/user')({
  validateSearch: parseUserSearch,
  loader: () => loadTexts('users'),
  component: UserRoute,
})

function UserRoute() {
  const navigate = Route.useNavigate()
  return <UsersPage search={Route.useSearch()} onSearch={(search) => void navigate({ search: parseUserSearch(search) })} />
}
