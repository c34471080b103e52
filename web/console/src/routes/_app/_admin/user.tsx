import { createFileRoute, Outlet } from '@tanstack/react-router'
import { useProof } from '../../../features/personal/security/use-proof.tsx'
import { UsersPage } from '../../../features/users/page.tsx'
import { parseUserSearch, type UserSearch } from '../../../features/users/search.ts'
import { loadTexts } from '../../../i18n/start.ts'
import { groupNames } from '../../../lib/group-names.ts'

export const Route = createFileRoute('/_app/_admin/user')({
  validateSearch: (search): UserSearch => parseUserSearch(search),
  loader: async ({ context }) => {
    void context.queryClient.prefetchQuery(groupNames)
    await loadTexts('users', 'statement', 'security')
  },
  component: UserRoute,
})

function UserRoute() {
  const navigate = Route.useNavigate()
  const search = Route.useSearch()
  const { guarded, dialog } = useProof()
  const { open: _open, adjust: _adjust, ...listed } = search
  return (
    <UsersPage
      search={search}
      guarded={guarded}
      onSearch={(next) => void navigate({ to: '/user', search: parseUserSearch(next) })}
      onAdd={() => void navigate({ to: '/user/add', search: listed })}
      onEdit={(id) => void navigate({ to: '/user/edit/$id', params: { id: String(id) }, search: listed })}
    >
      <Outlet />
      {dialog}
    </UsersPage>
  )
}
